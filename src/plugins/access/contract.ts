import * as Type from 'typebox';
import { crud, entity, get, Ids, level, NoContent, NoInput, PageOf, post, TreeNode, TreeOf, tree, withFreshProof } from '#shared/contract';
import { problem } from '#shared/errors';
import { Flag, Id, Integer, MultiSelect, Nullable, Parent, Text } from '#shared/fields';
import { GrantNode, Menu, TopMenu } from '#shared/menu-entities';
import { ApiScope, DataScope, scopableEntities } from '#shared/scopes';
import type { LocalizedText } from '#shared/text';
import { Member } from './explain-contract.ts';
import { apiScopeMenu, dataScopeMenu, menuMenu, roleMenu, topMenuMenu } from './menus.ts';

export { type GrantNode, Menu, TopMenu } from '#shared/menu-entities';
export { ApiScope, DataScope } from '#shared/scopes';
export { Member } from './explain-contract.ts';
export * from './role-message-contract.ts';

const blade = '/api/blade-system';
const oms = '/api/oms-system';
const things = '/api/things-system';

/** Alias of the only role with all permissions. It belongs to the platform, and no call can create another. */
export const administratorAlias = 'administrator';
/** Alias of tenant administrators; only an administrator can assign it to a role. */
export const tenantAdministratorAlias = 'admin';

/** Ids of the roles or top menus that a grant changes. */
const OwnerIds = Type.Array(Id(), { minItems: 1, maxItems: 100 });
const SomeIds = Type.Array(Id(), { maxItems: 5000 });
const OptionalIds = Type.Optional(SomeIds);

/** Role of a tenant: a named set of permissions. */
export const Role = entity(
  'role',
  {
    id: Id(),
    parentId: Parent({ title: ['上级角色', 'Parent role'], list: false }),
    roleName: Text({ title: ['角色名称', 'Role name'], maxLength: 64, search: true, englishIn: 'roleNameEn' }),
    roleNameEn: Nullable(Text({ title: ['英文名称', 'English name'], maxLength: 64, search: true, list: false })),
    roleAlias: Text({ title: ['角色别名', 'Role alias'], maxLength: 64, search: true, copyable: true }),
    sort: Integer({ title: ['角色排序', 'Sort order'], default: 1 }),
    requiresSecondFactor: Flag({
      title: ['要求二次验证', 'Require two-step verification'],
      help: ['未设置二次验证的成员登录后须先完成设置', 'Members without it must set it up after signing in, before anything else'],
      list: false,
    }),
  },
  {
    order: ['sort'],
    archivable: true,
    related: {
      menus: MultiSelect(Text({ title: ['菜单权限', 'Menu permissions'] })),
      dataScopes: MultiSelect(Text({ title: ['数据权限', 'Data permissions'] })),
      apiScopes: MultiSelect(Text({ title: ['接口权限', 'API permissions'] })),
      scopeRules: MultiSelect(Text({ title: ['可见范围', 'Visible rows'] })),
    },
  },
);

/** Name of a role in both languages. */
export const titleOfRole = ({ roleName, roleNameEn }: { readonly roleName: string; readonly roleNameEn: string | null }): LocalizedText => [
  roleName,
  roleNameEn || roleName,
];

const roleCalls = withFreshProof(crud(`${oms}/role`, Role, { tree: true }), 'submit', 'bulkSubmit', 'remove', 'import');
const roleAccess = { code: roleMenu.code };
const grantAccess = { code: 'role_grant' };
const OfRole = Type.Object({ roleId: Id({ title: ['角色', 'Role'] }) });
const MembersOfRole = Type.Object({ ...OfRole.properties, ids: Ids.properties.ids });
const RoleIds = Type.Unsafe<string>({ type: 'string', pattern: '^(\\d{1,19}(,\\d{1,19}){0,199})?$' });
const OfTenant = Type.Object({ tenantId: Type.Optional(Text({ title: ['租户编号', 'Tenant'], maxLength: 12 })) });

/** Menu entries that can be granted, as a tree. */
const Grantable = Type.Object({ menu: TreeOf(GrantNode) });
const Granted = Type.Object({ menu: SomeIds });
/** Grants of roles also include scopes, listed below their pages. */
const RoleGrantable = Type.Object({ ...Grantable.properties, dataScope: TreeOf(GrantNode), apiScope: TreeOf(GrantNode) });
const RoleGranted = Type.Object({ ...Granted.properties, dataScope: SomeIds, apiScope: SomeIds });

/** Calls on the roles of the caller's tenant. A tenant in the request must be the caller's own, otherwise the result is empty. */
export const role = {
  ...roleCalls,
  remove: { ...roleCalls.remove, path: `${blade}/role/remove` },
  tree: get(`${blade}/role/tree`, { title: ['角色树', 'Role tree'], access: 'signedIn', input: OfTenant, reply: TreeOf(TreeNode) }),
  /** Omits the role itself and its descendants. */
  treeById: get(`${blade}/role/tree-by-id`, { title: ['可选上级角色', 'Parent role options'], access: 'signedIn', input: OfRole, reply: TreeOf(TreeNode) }),
  /** With `userId` returns the roles of this user; with comma-separated `roleId` only those roles. */
  select: get(`${blade}/role/select`, {
    title: ['角色下拉', 'Role options'],
    access: 'signedIn',
    input: Type.Object({ userId: Type.Optional(Id({ title: ['用户', 'User'] })), roleId: Type.Optional(RoleIds) }),
    reply: Type.Array(Role.row),
  }),
  menus: get(`${oms}/role/rolemenus`, { title: ['角色菜单', 'Role menus'], access: roleAccess, input: OfRole, reply: SomeIds }),
  setMenus: post(`${oms}/role/setrolemenus`, {
    title: ['设置角色菜单', 'Set role menus'],
    access: grantAccess,
    proof: 'fresh',
    input: Type.Object({ roleId: OfRole.properties.roleId, menuIds: SomeIds }),
    reply: NoContent,
  }),
  /** Kinds that are omitted stay unchanged. With `base`, the grants with which the form began, only its own changes are applied. */
  grant: post(`${blade}/role/grant`, {
    title: ['角色授权', 'Grant to roles'],
    access: grantAccess,
    proof: 'fresh',
    input: Type.Object({ roleIds: OwnerIds, menuIds: OptionalIds, dataScopeIds: OptionalIds, apiScopeIds: OptionalIds, base: Type.Optional(RoleGranted) }),
    reply: NoContent,
  }),
  grantTree: get(`${blade}/menu/grant-tree`, { title: ['可授予的权限', 'Grantable permissions'], access: grantAccess, input: NoInput, reply: RoleGrantable }),
  grantedKeys: get(`${blade}/menu/role-tree-keys`, {
    title: ['已授予的权限', 'Granted permissions'],
    access: grantAccess,
    input: Type.Object({ roleIds: OwnerIds }),
    reply: RoleGranted,
  }),
  /** Creates a role with the same grants and no members. */
  copy: post(`${blade}/role/copy`, {
    title: ['复制角色', 'Duplicate role'],
    access: grantAccess,
    proof: 'fresh',
    input: Type.Object({ id: Id(), roleName: Role.fields.roleName, roleNameEn: Type.Optional(Role.fields.roleNameEn) }),
    reply: Role.row,
  }),
  members: get(`${blade}/role/members`, {
    title: ['角色成员', 'Role members'],
    access: roleAccess,
    input: Type.Object({
      roleId: OfRole.properties.roleId,
      current: Type.Optional(Integer({ title: ['页码', 'Page'], minimum: 1 })),
      size: Type.Optional(Integer({ title: ['条数', 'Rows'], minimum: 1, maximum: 200 })),
    }),
    reply: PageOf(Member),
  }),
  /** Finds users without the role by a text in account or name. */
  candidates: get(`${blade}/role/candidates`, {
    title: ['可添加的成员', 'Users to add'],
    access: grantAccess,
    input: Type.Object({ roleId: OfRole.properties.roleId, text: Type.Optional(Text({ title: ['关键字', 'Keyword'], maxLength: 64 })) }),
    reply: Type.Array(Member),
  }),
  addMembers: post(`${blade}/role/enlist`, {
    title: ['添加成员', 'Add members'],
    access: grantAccess,
    proof: 'fresh',
    input: MembersOfRole,
    reply: NoContent,
  }),
  removeMembers: post(`${blade}/role/dismiss`, {
    title: ['移除成员', 'Remove members'],
    access: grantAccess,
    proof: 'fresh',
    input: MembersOfRole,
    reply: NoContent,
  }),
};

const menuCalls = crud(`${things}/menu`, Menu, { tree: true, lazy: true });
const menuAccess = { code: menuMenu.code };

/** Calls that manage the menu; the kernel serves the menu of the signed-in user. */
export const menus = {
  ...menuCalls,
  list: { ...menuCalls.list, path: `${blade}/menu/list` },
  /** Lists pages only, one level at a time. */
  lazyPages: level(`${blade}/menu/lazy-menu-list`, Menu, menuAccess, ['逐级页面', 'Menu level']),
  pages: tree(`${blade}/menu/menu-list`, Menu, menuAccess, ['页面树', 'Menu pages']),
  /** Lists pages for a picker: all of them for the administrator, otherwise the caller's own. */
  tree: get(`${things}/menu/tree`, { title: ['菜单树', 'Menu tree'], access: 'signedIn', input: OfTenant, reply: TreeOf(TreeNode) }),
  /** Sorts all entries below a parent; refused when the list has changed meanwhile. */
  order: post(`${things}/menu/order`, {
    title: ['调整顺序', 'Reorder'],
    access: { code: 'menu_edit' },
    input: Type.Object({ parentId: Id({ title: ['上级', 'Parent'] }), ids: Ids.properties.ids }),
    reply: NoContent,
  }),
};

const topMenuAccess = { code: 'topmenu_setting' };

/** Top menus of the console with the pages of each. */
export const topMenu = {
  ...crud(`${blade}/topmenu`, TopMenu, { menu: topMenuMenu.code }),
  grant: post(`${blade}/topmenu/grant`, {
    title: ['顶部菜单配置', 'Set top menu items'],
    access: topMenuAccess,
    input: Type.Object({ topMenuIds: OwnerIds, menuIds: SomeIds, base: Type.Optional(Granted) }),
    reply: NoContent,
  }),
  grantTree: get(`${blade}/menu/grant-top-tree`, { title: ['可配置的菜单', 'Assignable menus'], access: topMenuAccess, input: NoInput, reply: Grantable }),
  grantedKeys: get(`${blade}/menu/top-tree-keys`, {
    title: ['顶部菜单的菜单', 'Top menu items'],
    access: topMenuAccess,
    input: Type.Object({ topMenuIds: OwnerIds }),
    reply: Granted,
  }),
};

/** `scopeClass` can also be a mapper method, as BladeX-compatible clients send it; the entity it reads is stored. */
const DataScopeForm = Type.Object({
  ...DataScope.form.properties,
  scopeClass: Type.Optional({ ...DataScope.form.properties.scopeClass, maxLength: 255 } as typeof DataScope.form.properties.scopeClass),
});

/** Rows of a page that roles may see. Scopes are granted to roles and apply to all reads and writes of these rows. */
export const dataScope = {
  ...crud(`${blade}/data-scope`, DataScope, { input: DataScopeForm }),
  entities: scopableEntities,
  pages: tree(`${blade}/data-scope/pages`, Menu, { code: dataScopeMenu.code }, ['数据权限的菜单', 'Menus for data scopes']),
};

/** Addresses that only roles with a matching scope may call; a scope applies as soon as it exists. */
export const apiScope = {
  ...crud(`${blade}/api-scope`, ApiScope),
  pages: tree(`${blade}/api-scope/pages`, Menu, { code: apiScopeMenu.code }, ['接口权限的菜单', 'Menus for API scopes']),
};

export const scopeProblems = {
  condition: problem(400, ['条件不是有效的表达式', 'Invalid condition.']),
  unknownField: problem(400, ['字段 {name} 不存在', 'Field {name} not found.']),
  unknownEntity: problem(400, ['请选择要限定的数据', 'Select the data to restrict.']),
  unknownMapper: problem(400, [
    '没有与 {name} 对应的数据，请填写本系统的数据名称，例如 {examples}',
    'No data matches {name}. Enter a data name of this system, such as {examples}.',
  ]),
};

/** Texts of the scope pages. */
export const scopeMessages = {
  noPages: ['没有可设置的页面', 'No pages to configure'],
  noPagesHint: ['可设置权限的页面显示在这里。', 'Pages whose permissions can be configured appear here.'],
  configure: ['权限配置', 'Scopes'],
  apiOf: ['接口权限：{name}', 'API scopes of {name}'],
  dataOf: ['数据权限：{name}', 'Data scopes of {name}'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the top menu page. */
export const topMenuMessages = {
  pages: ['菜单配置', 'Menus'],
  pagesOf: ['菜单配置：{name}', 'Menus of {name}'],
} as const satisfies Record<string, LocalizedText>;

export const menuProblems = {
  buttonAtTop: problem(400, ['按钮必须位于菜单之下', 'A button must be placed under a menu.']),
  belowButton: problem(400, ['按钮下不能再添加菜单', 'Items cannot be placed under a button.']),
  taken: problem(409, ['菜单编号已存在', 'This code is already in use.']),
};

/** Texts of the menu page. */
export const menuMessages = {
  addBelow: ['新增下级', 'Add child'],
  reorder: ['调整顺序', 'Reorder'],
} as const satisfies Record<string, LocalizedText>;

export const roleProblems = {
  reserved: problem(403, ['该角色别名为系统保留', 'This role alias is reserved.']),
  administrator: problem(403, ['超级管理员角色不可修改', 'The super administrator role cannot be changed.']),
  beyondOwn: problem(403, ['不能授予超出自身的权限', 'You cannot grant permissions you do not have.']),
  ownRoles: problem(403, ['不能更改自己的角色', 'You cannot change your own roles.']),
};
