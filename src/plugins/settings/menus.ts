import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const settingMenu = menu({
  code: 'setting',
  title: ['参数设置', 'Settings'],
  path: '/system/setting',
  under: menuGroups.system,
  icon: 'settings',
  sort: 1,
  isPlatformOnly: true,
  buttons: ['edit'],
});

export const paramMenu = menu({
  code: 'param',
  title: ['系统参数', 'System parameters'],
  path: '/system/param',
  under: menuGroups.system,
  icon: 'settings',
  sort: 2,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const clientMenu = menu({
  code: 'client',
  title: ['应用管理', 'Clients'],
  path: '/system/client',
  under: menuGroups.system,
  icon: 'apps',
  sort: 10,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import', { code: 'client_secret', title: ['重置密钥', 'Reset secret'] }],
});
