import { definePlugin, page } from '#kernel';
import { bannerMenu, miniappSettingMenu } from '../menus.ts';

/** What people find in the mini-app: banners, and how it looks and what it allows. */
export default definePlugin({
  id: 'miniapp',
  title: ['小程序', 'Mini-app'],
  pages: [page(bannerMenu, () => import('./BannerPage.tsx')), page(miniappSettingMenu, () => import('./SettingPage.tsx'))],
});
