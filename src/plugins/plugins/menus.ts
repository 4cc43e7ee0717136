import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const pluginsMenu = menu({
  code: 'plugin',
  title: ['插件管理', 'Plugins'],
  path: '/system/plugin',
  under: 'system',
  icon: 'apps',
  sort: 20,
  buttons: [{ code: 'plugin_switch', title: ['启用与停用', 'Switch on and off'] }],
});
