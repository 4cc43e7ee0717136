import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const userMenu = menu({
  code: 'user',
  title: ['用户管理', 'Users'],
  path: '/system/user',
  under: menuGroups.authority,
  icon: 'user',
  sort: 1,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    'export',
    'import',
    { code: 'user_role', title: ['分配角色', 'Assign roles'] },
    { code: 'user_reset', title: ['重置密码', 'Reset password'] },
    { code: 'user_status', title: ['启用停用', 'Enable or disable'] },
    { code: 'user_platform', title: ['平台配置', 'Platform settings'] },
    showButton('user_personal'),
  ],
});

export const deptMenu = menu({
  code: 'dept',
  title: ['部门管理', 'Departments'],
  path: '/system/dept',
  under: menuGroups.authority,
  icon: 'layout',
  sort: 2,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const postMenu = menu({
  code: 'post',
  title: ['岗位管理', 'Positions'],
  path: '/system/post',
  under: menuGroups.authority,
  icon: 'idcard',
  sort: 3,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});
