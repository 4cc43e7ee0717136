import { contribute, definePlugin, PaletteActions, page, UserPreferences } from '#kernel';
import { consoleMenu, homeMenu } from '../menus.ts';
import { setupHidden } from './setup-preference.ts';

/** Home page: pending work and metrics that other plugins provide. */
export default definePlugin({
  id: 'dashboard',
  title: ['首页', 'Dashboard'],
  pages: [page(homeMenu, () => import('./HomePage.tsx')), page(consoleMenu, () => import('./ConsolePage.tsx'))],
  contributions: [
    contribute(PaletteActions, {
      title: ['显示开通清单', 'Show setup checklist'],
      code: 'user_add',
      run: ({ get }) => get(UserPreferences).remove(setupHidden.key),
    }),
  ],
});
