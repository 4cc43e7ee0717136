import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const pluginsMenu = menu({
  code: 'plugin',
  title: ['插件管理', 'Plugins'],
  path: '/system/plugin',
  under: menuGroups.system,
  icon: 'apps',
  sort: 20,
  buttons: [
    { code: 'plugin_switch', title: ['启用与停用', 'Enable and disable'] },
    { code: 'plugin_install', title: ['安装与卸载', 'Install and uninstall'] },
  ],
});
