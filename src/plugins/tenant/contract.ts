import { Array as List, Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { crud, Done, entity, get, Ids, list, Nothing, post, type RowOf, TreeNode, TreeOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Id, Image, Optional, Reference, Several, Text, Whole } from '#shared/fields';
import type { Words } from '#shared/text';

const path = '/api/blade-system';
const tenantWho = { code: 'tenant' };
const packageWho = { code: 'tenant_package' };

/** The menu a package may be made of: every page and button that is not the platform's own. */
export const packageMenus = get(`${path}/tenant-package/menu-tree`, {
  title: ['可选菜单', 'Menus to choose from'],
  who: packageWho,
  input: Nothing,
  reply: TreeOf(TreeNode),
});

const packageName = Text({ title: ['产品包名称', 'Package name'], maxLength: 64, search: true, sort: true });

/** What tenants may have: no role of theirs has a page or a button that is not in their package. */
export const TenantPackage = entity(
  'tenant_package',
  {
    id: Id(),
    packageName,
    menuId: Several(
      Reference({
        title: ['菜单', 'Menus'],
        list: false,
        help: ['租户只能看到和授予所选菜单', 'A tenant sees and grants nothing beyond these'],
        from: { call: packageMenus, shape: 'tree', checks: true },
      }),
      { most: 2000, comma: true },
    ),
    remark: Optional(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);

export const tenantPackage = {
  ...crud(`${path}/tenant-package`, TenantPackage),
  select: get(`${path}/tenant-package/select`, {
    title: ['产品包下拉', 'Packages to pick from'],
    who: tenantWho,
    input: Nothing,
    reply: List(Shape({ id: Id(), packageName })),
  }),
};

const code = Text({ title: ['租户编号', 'Tenant code'], maxLength: 12, search: true, sort: true, form: false, copyable: true, width: 130 });
const tenantName = Text({ title: ['租户名称', 'Tenant name'], maxLength: 64, search: true, sort: true, width: 210 });
const limits = ['账号与期限', 'Limits'] as const;
const signInPage = ['登录页', 'Sign-in page'] as const;
const accountNumber = Optional(
  Whole({
    title: ['账号额度', 'Account quota'],
    group: limits,
    minimum: -1,
    maximum: 1_000_000,
    help: ['-1 表示不限制，不填则为默认额度', '-1: no limit. Leave empty for the usual quota'],
  }),
);
/** Who may give a tenant a data source need not have the page of data sources. */
const datasources = get(`${path}/tenant/datasource-select`, {
  title: ['数据源下拉', 'Data sources to pick from'],
  who: tenantWho,
  input: Nothing,
  reply: List(Shape({ id: Id(), name: Unsafe<string>({ type: 'string' }) })),
});
const datasourceId = Optional(
  Reference({
    title: ['数据源', 'Data source'],
    group: ['自有数据库', 'Database of its own'],
    help: [
      '租户自有的数据库，供代码生成读取表结构；租户在本系统的数据不会移到那里',
      'A database of the tenant’s own, whose tables the code generator reads. What the tenant keeps in this system does not move there',
    ],
    from: { call: datasources },
  }),
);
const expireTime = Optional(DateTime({ title: ['过期时间', 'Expires'], group: limits, sort: true, help: ['不填则永久有效', 'Leave empty for no end'] }));
const packageId = Optional(
  Reference({
    title: ['产品包', 'Package'],
    group: limits,
    help: ['不选则不限制菜单', 'Without one, the menu is not limited'],
    from: { call: tenantPackage.select, title: 'packageName' },
  }),
);

/** Who shares the deployment, each with users and rows of its own. `000000` is the platform itself. */
export const Tenant = entity(
  'tenant',
  {
    id: Id(),
    tenantId: code,
    tenantName,
    linkman: Optional(Text({ title: ['联系人', 'Contact'], maxLength: 64, search: true, requiredWhen: { field: 'id', filled: false } })),
    contactNumber: Optional(Text({ title: ['联系电话', 'Contact number'], maxLength: 32, search: true })),
    address: Optional(Text({ title: ['联系地址', 'Address'], list: false })),
    packageId,
    accountNumber,
    expireTime,
    domain: Optional(
      Text({
        title: ['绑定域名', 'Domain'],
        group: signInPage,
        maxLength: 255,
        placeholder: ['acme.example.com', 'acme.example.com'],
        help: ['从该域名登录时无需填写租户编号', 'Whoever signs in from this address need not name the tenant'],
      }),
    ),
    backgroundUrl: Optional(Image({ title: ['登录背景', 'Sign-in background'], group: signInPage, list: false })),
    datasourceId,
  },
  { owner: 'platform' },
);
export type TenantRow = RowOf<typeof Tenant>;

const told = Unsafe<string>({ type: 'string' });
/** The row; of a new tenant also how its first administrator signs in, told this once. */
const SavedTenant = Shape({ ...Tenant.row.properties, account: Omissible(told), password: Omissible(told) });

const DeletedTenant = entity(
  'deleted_tenant',
  {
    id: Id(),
    tenantId: code,
    tenantName,
    linkman: Tenant.fields.linkman,
    deletedAt: DateTime({ title: ['删除时间', 'Deleted'] }),
    restorableUntil: DateTime({ title: ['可恢复至', 'Can be restored until'] }),
  },
  { owner: 'platform' },
);

const { import: _import, importTemplate: _template, importPreview: _preview, importMapping: _mapping, ...calls } = crud(`${path}/tenant`, Tenant);
const codeInput = Text({ title: ['租户编号', 'Tenant code'], maxLength: 12 });

export const tenant = {
  ...calls,
  submit: post(calls.submit.path, {
    title: ['新增或修改租户', 'Add or update a tenant'],
    who: calls.submit.who,
    input: Tenant.form,
    reply: SavedTenant,
  }),
  /** Brings deleted tenants back with everything they had; within thirty days. */
  restore: post(calls.restore.path, { title: ['恢复租户', 'Restore tenants'], who: { code: 'tenant_delete' }, input: Ids, reply: Done }),
  select: get(`${path}/tenant/select`, {
    title: ['租户下拉', 'Tenants to pick from'],
    who: tenantWho,
    input: Nothing,
    reply: List(Shape({ id: Id(), tenantId: codeInput, tenantName })),
  }),
  setting: post(`${path}/tenant/setting`, {
    title: ['授权配置', 'Quota and expiry'],
    who: { code: 'tenant_edit' },
    input: Shape({ ids: Ids.properties.ids, accountNumber, expireTime }),
    reply: Done,
  }),
  datasource: post(`${path}/tenant/datasource`, {
    title: ['数据源配置', 'Data source'],
    who: { code: 'tenant_edit' },
    input: Shape({ tenantId: codeInput, datasourceId }),
    reply: Done,
  }),
  datasources,
  /** The package of a tenant by the id of its row; nothing in it for a tenant without one. */
  packageDetail: get(`${path}/tenant/package-detail`, {
    title: ['产品包详情', 'Package of a tenant'],
    who: tenantWho,
    input: Shape({ tenantId: Id() }),
    reply: Unsafe<Partial<RowOf<typeof TenantPackage>>>({ ...TenantPackage.row, required: [] }),
  }),
  packageSetting: post(`${path}/tenant/package-setting`, {
    title: ['产品包配置', 'Give a package'],
    who: { code: 'tenant_edit' },
    input: Shape({ tenantId: codeInput, packageId }),
    reply: Done,
  }),
};

/** What was deleted within the last thirty days. */
export const deletedTenants = {
  entity: DeletedTenant,
  menu: 'tenant',
  list: list(`${path}/tenant/deleted-list`, DeletedTenant, { code: 'tenant_delete' }, ['已删除租户', 'Deleted tenants']),
};

/** What only the console says of tenants. */
export const tenantWords = {
  created: ['租户已创建', 'The tenant is ready'],
  code: ['租户编号', 'Tenant code'],
  account: ['管理员账号', 'Administrator account'],
  password: ['初始密码', 'Initial password'],
  unlimited: ['不限制', 'No limit'],
  deleted: ['已删除租户', 'Deleted tenants'],
  restore: ['恢复', 'Restore'],
  restored: ['已恢复', 'Restored'],
} as const satisfies Record<string, Words>;

export const tenantProblems = {
  platform: problem(403, ['平台租户受保护', 'The platform’s own tenant is protected.']),
  packageInUse: problem(409, ['产品包正被租户使用: {name}', 'The package is in use: {name}.']),
  restoreExpired: problem(409, ['已超过可恢复期限', 'It can no longer be restored.']),
};
