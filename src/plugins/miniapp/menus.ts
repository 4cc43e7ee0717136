import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const bannerMenu = menu({
  code: 'banner',
  title: ['轮播图', 'Banners'],
  path: '/miniapp/banner',
  under: 'miniapp',
  icon: 'image',
  sort: 1,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const miniappSettingMenu = menu({
  code: 'miniapp_setting',
  title: ['小程序设置', 'Mini-app settings'],
  path: '/miniapp/setting',
  under: 'miniapp',
  icon: 'settings',
  sort: 2,
  buttons: ['edit'],
});
