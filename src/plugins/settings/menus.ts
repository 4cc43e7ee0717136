import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const paramMenu = menu({
  code: 'param',
  title: ['系统参数', 'System parameters'],
  path: '/system/param',
  under: 'system',
  icon: 'settings',
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const clientMenu = menu({
  code: 'client',
  title: ['应用管理', 'Clients'],
  path: '/system/client',
  under: 'system',
  icon: 'apps',
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import', { code: 'client_secret', title: ['重置密钥', 'New secret'] }],
});
