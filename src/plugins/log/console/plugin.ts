import { definePlugin, page } from '#kernel';
import { apiLogMenu, errorLogMenu, loginLogMenu, personalLogMenu, usualLogMenu } from '../menus.ts';

/** Logs: calls, errors, sign-ins and system messages, for administrators. */
export default definePlugin({
  id: 'log',
  title: ['日志', 'Logs'],
  pages: [
    page(usualLogMenu, () => import('./UsualLogPage.tsx')),
    page(apiLogMenu, () => import('./ApiLogPage.tsx')),
    page(errorLogMenu, () => import('./ErrorLogPage.tsx')),
    page(loginLogMenu, () => import('./LoginLogPage.tsx')),
    page(personalLogMenu, () => import('./PersonalLogPage.tsx')),
  ],
});
