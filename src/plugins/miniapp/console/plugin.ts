import { definePlugin, page } from '#kernel';
import { bannerMenu, miniappSettingMenu } from '../menus.ts';

/** Mini-app: its banners, appearance and limits. */
export default definePlugin({
  id: 'miniapp',
  title: ['小程序', 'Mini-app'],
  pages: [page(bannerMenu, () => import('./BannerPage.tsx')), page(miniappSettingMenu, () => import('./SettingPage.tsx'))],
});
