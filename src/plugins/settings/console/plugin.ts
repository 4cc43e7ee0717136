import { definePlugin, page } from '#kernel';
import { clientMenu, paramMenu, settingMenu } from '../menus.ts';

/** Settings: the parameters of the platform, and its client applications. */
export default definePlugin({
  id: 'settings',
  title: ['系统设置', 'Settings'],
  pages: [
    page(settingMenu, () => import('./SettingPage.tsx')),
    page(paramMenu, () => import('./ParamPage.tsx')),
    page(clientMenu, () => import('./ClientPage.tsx')),
  ],
});
