import { menu } from '#shared/menu-entry';
import { explainPage, menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

const rowButtons = ['add', 'edit', 'delete', 'view', 'export', 'import'] as const;
const configures = (code: string) => ({ code, title: ['权限配置', 'Configure scopes'], isGrantedWithPage: true }) as const;
const scopesUnder = { under: menuGroups.authority, isPlatformOnly: true, icon: 'lock' as const };

export const roleMenu = menu({
  code: 'role',
  title: ['角色管理', 'Roles'],
  path: '/authority/role',
  under: menuGroups.authority,
  icon: 'user-group',
  sort: 4,
  buttons: [...rowButtons, { code: 'role_grant', title: ['权限设置', 'Permissions'] }, { code: 'role_preview', title: ['角色预览', 'Role preview'] }],
});

export const menuMenu = menu({
  code: 'menu',
  title: ['菜单管理', 'Menus'],
  path: '/system/menu',
  isPlatformOnly: true,
  under: menuGroups.system,
  icon: 'menu',
  sort: 5,
  buttons: rowButtons,
});

export const topMenuMenu = menu({
  code: 'topmenu',
  title: ['顶部菜单', 'Top menus'],
  path: '/system/topmenu',
  isPlatformOnly: true,
  under: menuGroups.system,
  icon: 'apps',
  sort: 6,
  buttons: [...rowButtons, { code: 'topmenu_setting', title: ['菜单配置', 'Menus'] }],
});

export const dataScopeMenu = menu({
  ...scopesUnder,
  code: 'data_scope',
  title: ['数据权限', 'Data scopes'],
  path: '/authority/datascope',
  sort: 6,
  buttons: [...rowButtons, configures('data_scope_setting')],
});

export const apiScopeMenu = menu({
  ...scopesUnder,
  code: 'api_scope',
  title: ['接口权限', 'API scopes'],
  path: '/authority/apiscope',
  sort: 7,
  buttons: [...rowButtons, configures('api_scope_setting')],
});

export const explainMenu = menu({
  ...explainPage,
  title: ['权限说明', 'Permission explainer'],
  under: menuGroups.authority,
  icon: 'safe',
  sort: 8,
});
