import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const bannerMenu = menu({
  code: 'banner',
  title: ['轮播图', 'Banners'],
  path: '/miniapp/banner',
  under: menuGroups.miniapp,
  icon: 'image',
  sort: 1,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const miniappSettingMenu = menu({
  code: 'miniapp_setting',
  title: ['小程序设置', 'Mini-app settings'],
  path: '/miniapp/setting',
  under: menuGroups.miniapp,
  icon: 'settings',
  sort: 2,
  buttons: ['edit'],
});
