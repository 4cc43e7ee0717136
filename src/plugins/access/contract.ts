import { Array as List, Optional as Omissible, Object as Shape } from 'typebox';
import { crud, Done, entity, get, Ids, level, Nothing, PageOf, post, TreeNode, TreeOf, tree } from '#shared/contract';
import { problem } from '#shared/errors';
import { Id, Parent, Text, Whole } from '#shared/fields';
import { GrantNode, Menu, TopMenu } from '#shared/menu-entities';
import { ExplainInput, Explanation } from '#shared/permission-explanation';
import { ApiScope, DataScope, scopedEntities } from '#shared/scopes';
import type { Words } from '#shared/text';
import { apiScopeMenu, dataScopeMenu, explainMenu, menuMenu, roleMenu, topMenuMenu } from './menus.ts';

export { type GrantNode, Menu, TopMenu } from '#shared/menu-entities';
export { ApiScope, DataScope } from '#shared/scopes';

const blade = '/api/blade-system';
const oms = '/api/oms-system';
const things = '/api/things-system';

/** Who has this role may do everything. There is one such role, the platform's; no call makes another. */
export const administratorAlias = 'administrator';
/** A tenant's administrator; only an administrator makes a role one. */
export const tenantAdministratorAlias = 'admin';

const SomeRoles = List(Id(), { minItems: 1, maxItems: 100 });
const SomeIds = List(Id(), { maxItems: 5000 });

/** What people of a tenant may do, under one name. */
export const Role = entity(
  'role',
  {
    id: Id(),
    parentId: Parent({ title: ['上级角色', 'Parent role'], list: false }),
    roleName: Text({ title: ['角色名称', 'Role name'], maxLength: 64, search: true }),
    roleAlias: Text({ title: ['角色别名', 'Role alias'], maxLength: 64, search: true, copyable: true }),
    sort: Whole({ title: ['角色排序', 'Sort order'], default: 1 }),
  },
  { order: ['sort'] },
);

const roleCalls = crud(`${oms}/role`, Role, { tree: true });
const seesRoles = { code: roleMenu.code };
const grantsRoles = { code: 'role_grant' };
const OfRole = Shape({ roleId: Id({ title: ['角色', 'Role'] }) });
const OfTenant = Shape({ tenantId: Omissible(Text({ title: ['租户编号', 'Tenant'], maxLength: 12 })) });

/** Somebody who has a role. */
export const Member = Shape({
  id: Id(),
  account: Text({ title: ['账号', 'Account'] }),
  realName: Text({ title: ['姓名', 'Name'] }),
  deptName: Text({ title: ['部门', 'Department'] }),
});

/** What may be granted, each kind as a tree. */
const Grantable = Shape({ menu: TreeOf(GrantNode) });
const Granted = Shape({ menu: SomeIds });
/** Scopes stand below their pages. */
const RoleGrantable = Shape({ ...Grantable.properties, dataScope: TreeOf(GrantNode), apiScope: TreeOf(GrantNode) });
const RoleGranted = Shape({ ...Granted.properties, dataScope: SomeIds, apiScope: SomeIds });

/** Roles of the caller's tenant. A tenant named in a request is the caller's own or has none. */
export const role = {
  ...roleCalls,
  remove: { ...roleCalls.remove, path: `${blade}/role/remove` },
  tree: get(`${blade}/role/tree`, { title: ['角色树', 'Roles to pick from'], who: 'signedIn', input: OfTenant, reply: TreeOf(TreeNode) }),
  /** Without the role given and what is below it. */
  treeById: get(`${blade}/role/tree-by-id`, { title: ['可选上级角色', 'Possible parents'], who: 'signedIn', input: OfRole, reply: TreeOf(TreeNode) }),
  /** With a user, the roles of theirs. */
  select: get(`${blade}/role/select`, {
    title: ['角色下拉', 'Role options'],
    who: 'signedIn',
    input: Shape({ userId: Omissible(Id({ title: ['用户', 'User'] })), roleId: Omissible(Text({ title: ['角色', 'Role'] })) }),
    reply: List(Role.row),
  }),
  menus: get(`${oms}/role/rolemenus`, { title: ['角色菜单', 'Menus of a role'], who: seesRoles, input: OfRole, reply: SomeIds }),
  setMenus: post(`${oms}/role/setrolemenus`, {
    title: ['设置角色菜单', 'Set the menus of a role'],
    who: grantsRoles,
    input: Shape({ roleId: OfRole.properties.roleId, menuIds: SomeIds }),
    reply: Done,
  }),
  /** Kinds that are left out stay as they are. */
  grant: post(`${blade}/role/grant`, {
    title: ['角色授权', 'Grant to roles'],
    who: grantsRoles,
    input: Shape({ roleIds: SomeRoles, menuIds: Omissible(SomeIds), dataScopeIds: Omissible(SomeIds), apiScopeIds: Omissible(SomeIds) }),
    reply: Done,
  }),
  grantTree: get(`${blade}/menu/grant-tree`, { title: ['可授予的权限', 'What may be granted'], who: grantsRoles, input: Nothing, reply: RoleGrantable }),
  grantedKeys: get(`${blade}/menu/role-tree-keys`, {
    title: ['已授予的权限', 'What is granted'],
    who: grantsRoles,
    input: Shape({ roleIds: SomeRoles }),
    reply: RoleGranted,
  }),
  /** A role of the same grants, without members. */
  copy: post(`${blade}/role/copy`, {
    title: ['复制角色', 'Copy a role'],
    who: { code: 'role_grant' },
    input: Shape({ id: Id(), roleName: Role.fields.roleName }),
    reply: Role.row,
  }),
  members: get(`${blade}/role/members`, {
    title: ['角色成员', 'Members of a role'],
    who: seesRoles,
    input: Shape({
      roleId: OfRole.properties.roleId,
      current: Omissible(Whole({ title: ['页码', 'Page'], minimum: 1 })),
      size: Omissible(Whole({ title: ['条数', 'Rows'], minimum: 1, maximum: 200 })),
    }),
    reply: PageOf(Member),
  }),
  /** Users who do not have it yet, by a text in account or name. */
  candidates: get(`${blade}/role/candidates`, {
    title: ['可添加的成员', 'Users to give a role to'],
    who: grantsRoles,
    input: Shape({ roleId: OfRole.properties.roleId, text: Omissible(Text({ title: ['关键字', 'Text'], maxLength: 64 })) }),
    reply: List(Member),
  }),
  enlist: post(`${blade}/role/enlist`, {
    title: ['添加成员', 'Give a role to people'],
    who: grantsRoles,
    input: Shape({ roleId: OfRole.properties.roleId, ids: Ids.properties.ids }),
    reply: Done,
  }),
  dismiss: post(`${blade}/role/dismiss`, {
    title: ['移除成员', 'Take a role from people'],
    who: grantsRoles,
    input: Shape({ roleId: OfRole.properties.roleId, ids: Ids.properties.ids }),
    reply: Done,
  }),
};

const menuCalls = crud(`${things}/menu`, Menu, { tree: true, lazy: true });
const seesMenus = { code: menuMenu.code };

/** The menu as administrators keep it; what a user has of it the kernel answers. */
export const menus = {
  ...menuCalls,
  list: { ...menuCalls.list, path: `${blade}/menu/list` },
  /** Pages alone, one level at a time. */
  lazyPages: level(`${blade}/menu/lazy-menu-list`, Menu, seesMenus, ['逐级页面', 'One level of pages']),
  pages: tree(`${blade}/menu/menu-list`, Menu, seesMenus, ['页面树', 'Tree of pages']),
  /** Pages to pick from: all of them for the administrator, their own for others. */
  tree: get(`${things}/menu/tree`, { title: ['菜单树', 'Pages to pick from'], who: 'signedIn', input: OfTenant, reply: TreeOf(TreeNode) }),
  /** Puts all entries below one into this order; refused when they are others by now. */
  order: post(`${things}/menu/order`, {
    title: ['调整顺序', 'Put in order'],
    who: { code: 'menu_edit' },
    input: Shape({ parentId: Id({ title: ['上级', 'Parent'] }), ids: Ids.properties.ids }),
    reply: Done,
  }),
};

const setsTopMenus = { code: 'topmenu_setting' };

/** Parts of the console in the top bar, and the pages that belong to each. */
export const topMenu = {
  ...crud(`${blade}/topmenu`, TopMenu, { menu: topMenuMenu.code }),
  grant: post(`${blade}/topmenu/grant`, {
    title: ['顶部菜单配置', 'Set the pages of top menus'],
    who: setsTopMenus,
    input: Shape({ topMenuIds: SomeRoles, menuIds: SomeIds }),
    reply: Done,
  }),
  grantTree: get(`${blade}/menu/grant-top-tree`, { title: ['可配置的菜单', 'Pages to choose from'], who: setsTopMenus, input: Nothing, reply: Grantable }),
  grantedKeys: get(`${blade}/menu/top-tree-keys`, {
    title: ['顶部菜单的菜单', 'Pages of top menus'],
    who: setsTopMenus,
    input: Shape({ topMenuIds: SomeRoles }),
    reply: Granted,
  }),
};

/** Which rows of a page roles see: granted to roles, in force wherever rows are read or written. */
export const dataScope = {
  ...crud(`${blade}/data-scope`, DataScope),
  entities: scopedEntities,
  pages: tree(`${blade}/data-scope/pages`, Menu, { code: dataScopeMenu.code }, ['数据权限的菜单', 'Pages to scope']),
};

/** Addresses only those roles may call that a scope covering them was granted to; in force from the moment there is a scope. */
export const apiScope = {
  ...crud(`${blade}/api-scope`, ApiScope),
  pages: tree(`${blade}/api-scope/pages`, Menu, { code: apiScopeMenu.code }, ['接口权限的菜单', 'Pages to scope']),
};

const explains = { code: explainMenu.code };
const SoughtText = Shape({ text: Omissible(Text({ title: ['关键字', 'Text'], maxLength: 64 })) });

/** Why somebody may do something, or why not: asked of what decides when they try. */
export const explaining = {
  of: get(`${blade}/permission/explain`, { title: ['权限说明', 'Explain a permission'], who: explains, input: ExplainInput, reply: Explanation }),
  people: get(`${blade}/permission/people`, { title: ['可查询的用户', 'Users to ask about'], who: explains, input: SoughtText, reply: List(Member) }),
  entries: get(`${blade}/permission/entries`, { title: ['可查询的菜单', 'Entries to ask about'], who: explains, input: Nothing, reply: TreeOf(GrantNode) }),
  calls: get(`${blade}/permission/calls`, {
    title: ['可查询的接口', 'Calls to ask about'],
    who: explains,
    input: SoughtText,
    reply: List(Shape({ path: Text({ title: ['地址', 'Address'] }), title: Text({ title: ['名称', 'Name'] }) })),
  }),
};

export const scopeProblems = {
  condition: problem(400, ['条件不是有效的表达式', 'This is not a valid condition.']),
  unknownField: problem(400, ['没有字段 {name}', 'There is no field {name}.']),
  unknownEntity: problem(400, ['请选择要限定的数据', 'Choose whose rows are meant.']),
};

/** What only the console says of scopes. */
export const scopeWords = {
  configure: ['权限配置', 'Scopes'],
  apiOf: ['接口权限：{name}', 'API scopes of {name}'],
  dataOf: ['数据权限：{name}', 'Data scopes of {name}'],
} as const satisfies Record<string, Words>;

/** What only the console says of top menus. */
export const topMenuWords = {
  pages: ['菜单配置', 'Pages'],
  pagesOf: ['菜单配置：{name}', 'Pages of {name}'],
} as const satisfies Record<string, Words>;

export const menuProblems = {
  buttonAtTop: problem(400, ['按钮必须位于菜单之下', 'A button stands below a page.']),
  belowButton: problem(400, ['按钮之下不能再有菜单', 'Nothing stands below a button.']),
  taken: problem(409, ['菜单编号已存在', 'This code is taken.']),
};

/** What only the console says of the menu. */
export const menuWords = {
  addBelow: ['新增下级', 'Add below'],
  arrange: ['调整顺序', 'Put in order'],
} as const satisfies Record<string, Words>;

export const roleProblems = {
  reserved: problem(403, ['该角色别名为系统保留', 'This role alias is reserved.']),
  administrator: problem(403, ['超级管理员角色不可修改', "The administrator's role cannot be changed."]),
  beyond: problem(403, ['不能授予超出自身的权限', 'You cannot grant more than you have.']),
  oneself: problem(403, ['不能更改自己的角色', 'You cannot change your own roles.']),
  hasMembers: problem(409, ['角色下仍有成员，请先移除成员', 'People still have this role. Take it from them first.']),
};

/** What only the console says of roles. */
export const roleWords = {
  grant: ['权限设置', 'Permissions'],
  grantTo: ['权限设置：{name}', 'Permissions of {name}'],
  copy: ['复制角色', 'Copy with permissions'],
  copyOf: ['{name} - 副本', 'Copy of {name}'],
  copied: ['已复制为 {name}', 'Copied as {name}'],
  preview: ['预览', 'View as'],
  previewChosen: ['以所选角色预览', 'View as selected'],
  members: ['成员', 'Members'],
  membersOf: ['角色成员：{name}', 'Members of {name}'],
  noMembers: ['还没有成员，可在上方添加', 'Nobody has this role yet. Add people above.'],
  candidates: ['输入账号或姓名，选择要添加的用户', 'Type an account or a name to add people'],
  enlist: ['添加', 'Add'],
  enlisted: ['已添加 {count} 名成员，立即生效', 'Members added: {count}. In force at once.'],
  noCandidates: ['没有找到可添加的用户', 'Nobody found who could be added.'],
  dismiss: ['移除', 'Remove'],
  dismissQuestion: ['确定移除 {name} 的该角色？立即生效。', 'Take this role from {name}? It takes effect at once.'],
  hasAll: ['超级管理员拥有全部权限，无需设置', 'The administrator has every permission already.'],
  find: ['按名称查找', 'Find by name'],
  menus: ['菜单与按钮', 'Menus and buttons'],
  apiScopes: ['接口权限', 'API scopes'],
  dataScopes: ['数据权限', 'Data scopes'],
  all: ['全选', 'Select all'],
  none: ['清空', 'Clear'],
  chosen: ['已选 {count} 项', '{count} selected'],
  added: ['新增 {count} 项', '{count} added'],
  taken: ['移除 {count} 项', '{count} removed'],
  save: ['保存', 'Save'],
  saved: ['已保存，立即生效', 'Saved and in force'],
  cancel: ['取消', 'Cancel'],
  failed: ['加载失败', 'This could not be loaded.'],
  retry: ['重试', 'Try again'],
  more: ['加载更多', 'Show more'],
} as const satisfies Record<string, Words>;
