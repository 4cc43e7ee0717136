import * as Type from 'typebox';
import { crud, entity, get, Ids, list, NoContent, NoInput, post, type RowOf, TreeNode, TreeOf, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Id, Image, Integer, MultiSelect, Nullable, Reference, Select, Text } from '#shared/fields';
import type { LocalizedText } from '#shared/text';

const path = '/api/blade-system';
const tenantAccess = { code: 'tenant' };
const packageAccess = { code: 'tenant_package' };

/** Lists the menus a package can contain: all pages and buttons that are not restricted to the platform. */
export const packageMenus = get(`${path}/tenant-package/menu-tree`, {
  title: ['可选菜单', 'Menu options'],
  access: packageAccess,
  input: NoInput,
  reply: TreeOf(TreeNode),
});

const packageName = Text({ title: ['产品包名称', 'Package name'], maxLength: 64, search: true, sort: true });

/** Package of a tenant: no role of the tenant can use a page or button outside it. */
export const TenantPackage = entity(
  'tenant_package',
  {
    id: Id(),
    packageName,
    menuId: MultiSelect(
      Reference({
        title: ['菜单', 'Menus'],
        onDelete: 'keep',
        list: false,
        help: ['租户只能看到和授予所选菜单', 'Tenants can only see and grant the selected menus'],
        from: { call: packageMenus, entity: 'menu', shape: 'tree', checks: true },
      }),
      { max: 2000, comma: true },
    ),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform', archivable: false },
);

export const tenantPackage = {
  ...crud(`${path}/tenant-package`, TenantPackage),
  select: get(`${path}/tenant-package/select`, {
    title: ['产品包下拉', 'Package options'],
    access: tenantAccess,
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), packageName })),
  }),
};

const code = Text({ title: ['租户编号', 'Tenant code'], maxLength: 12, search: true, sort: true, form: false, copyable: true, width: 130 });
const tenantName = Text({ title: ['租户名称', 'Tenant name'], maxLength: 64, search: true, sort: true, width: 210 });
const limits = ['账号与期限', 'Limits'] as const;
const signInPage = ['登录页', 'Sign-in page'] as const;
const accountNumber = Nullable(
  Integer({
    title: ['账号额度', 'Account quota'],
    group: limits,
    minimum: -1,
    maximum: 1_000_000,
    help: ['-1 表示不限，不填则为默认额度', '-1 for no limit. Leave empty for the default quota'],
  }),
);
/** Permission to manage tenants is enough to select a data source; the data source page is not required. */
const datasources = get(`${path}/tenant/datasource-select`, {
  title: ['数据源下拉', 'Data source options'],
  access: tenantAccess,
  input: NoInput,
  reply: Type.Array(Type.Object({ id: Id(), name: Type.Unsafe<string>({ type: 'string' }) })),
});
/** Values of the column `status`: users of a suspended tenant cannot sign in, and its jobs are paused. */
export const tenantStatus = { active: 1, suspended: 2 } as const;

const datasourceId = Nullable(
  Reference({
    title: ['数据源', 'Data source'],
    onDelete: 'refuse',
    group: ['自有数据库', 'Own database'],
    help: [
      '租户自有的数据库，供代码生成读取表结构；租户在本系统的数据不会移到那里',
      'The tenant’s own database, used by the code generator to read table structures. Data in this system is not moved there',
    ],
    from: { call: datasources, entity: 'datasource' },
  }),
);
const expireTime = Nullable(
  DateTime({
    title: ['过期时间', 'Expires'],
    group: limits,
    search: true,
    sort: true,
    help: ['不填则永久有效', 'Leave empty for no end'],
    endOfDay: true,
    notPast: true,
  }),
);
const packageId = Nullable(
  Reference({
    title: ['产品包', 'Package'],
    onDelete: 'refuse',
    group: limits,
    help: ['不选则不限制菜单', 'Leave empty for no menu restriction'],
    from: { call: tenantPackage.select, entity: TenantPackage.name, title: 'packageName' },
  }),
);

/** Tenant of the deployment with its own users and rows. `000000` is the platform itself. */
export const Tenant = entity(
  'tenant',
  {
    id: Id(),
    tenantId: code,
    tenantName,
    status: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      width: 100,
      default: tenantStatus.active,
      tones: { 1: 'good', 2: 'danger' },
      options: [
        [tenantStatus.active, ['正常', 'Active']],
        [tenantStatus.suspended, ['已停用', 'Suspended']],
      ],
    }),
    linkman: Nullable(Text({ title: ['联系人', 'Contact'], maxLength: 64, search: true, personal: 'name', requiredWhen: { field: 'id', filled: false } })),
    contactNumber: Nullable(Text({ title: ['联系电话', 'Contact number'], maxLength: 32, search: true, personal: 'phone' })),
    address: Nullable(Text({ title: ['联系地址', 'Address'], list: false, personal: 'address' })),
    packageId,
    accountNumber,
    expireTime,
    domain: Nullable(
      Text({
        title: ['绑定域名', 'Domain'],
        group: signInPage,
        maxLength: 255,
        placeholder: ['acme.example.com', 'acme.example.com'],
        help: ['从该域名登录时无需填写租户编号', 'No tenant code is needed when signing in from this domain'],
      }),
    ),
    backgroundUrl: Nullable(Image({ title: ['登录背景', 'Sign-in background'], group: signInPage, list: false })),
    datasourceId,
  },
  { owner: 'platform' },
);
export type TenantRow = RowOf<typeof Tenant>;

const textSchema = Type.Unsafe<string>({ type: 'string' });
/** The saved row; for a new tenant also the sign-in of its first administrator, returned only once. */
const SavedTenant = Type.Object({ ...Tenant.row.properties, account: Type.Optional(textSchema), password: Type.Optional(textSchema) });

const DeletedTenant = entity(
  'deleted_tenant',
  {
    id: Id(),
    tenantId: code,
    tenantName,
    linkman: Tenant.fields.linkman,
    deletedAt: DateTime({ title: ['删除时间', 'Deleted'] }),
    restorableUntil: DateTime({ title: ['可恢复至', 'Restorable until'] }),
  },
  { owner: 'platform', versioned: false },
);

const calls = withoutCalls(crud(`${path}/tenant`, Tenant), 'import');
const Holding = Type.Object({
  title: Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } }),
  count: Type.Unsafe<number>({ type: 'integer' }),
  /** Total in 分 when the holding is money. */
  amount: Type.Optional(Type.Unsafe<number>({ type: 'integer' })),
});
const codeInput = Text({ title: ['租户编号', 'Tenant code'], maxLength: 12 });

export const tenant = {
  ...calls,
  submit: post(calls.submit.path, {
    title: ['新增或修改租户', 'Add or update a tenant'],
    access: calls.submit.access,
    input: Tenant.form,
    reply: SavedTenant,
  }),
  /** Restores deleted tenants with all their data, within thirty days. */
  restore: post(calls.restore.path, { title: ['恢复租户', 'Restore tenants'], access: { code: 'tenant_delete' }, input: Ids, reply: NoContent }),
  select: get(`${path}/tenant/select`, {
    title: ['租户下拉', 'Tenant options'],
    access: tenantAccess,
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), tenantId: codeInput, tenantName })),
  }),
  setting: post(`${path}/tenant/setting`, {
    title: ['授权配置', 'Quota and expiry'],
    access: { code: 'tenant_edit' },
    input: Type.Object({ ids: Ids.properties.ids, accountNumber, expireTime }),
    reply: NoContent,
  }),
  /** Ends the sessions of the tenant's users at once; its API calls are refused and its jobs pause until it is resumed. */
  suspend: post(`${path}/tenant/suspend`, { title: ['停用租户', 'Suspend tenants'], access: { code: 'tenant_edit' }, input: Ids, reply: NoContent }),
  resume: post(`${path}/tenant/resume`, { title: ['启用租户', 'Resume tenants'], access: { code: 'tenant_edit' }, input: Ids, reply: NoContent }),
  /** Counts the data of a tenant before it is deleted. */
  holdings: get(`${path}/tenant/holdings`, {
    title: ['租户数据统计', 'Tenant data statistics'],
    access: { code: 'tenant_delete' },
    input: Type.Object({ id: Id() }),
    reply: Type.Array(Holding),
  }),
  datasource: post(`${path}/tenant/datasource`, {
    title: ['数据源配置', 'Data source'],
    access: { code: 'tenant_edit' },
    input: Type.Object({ tenantId: codeInput, datasourceId }),
    reply: NoContent,
  }),
  datasources,
  /** Returns the package of a tenant by the id of the tenant's row; empty for a tenant without a package. */
  packageDetail: get(`${path}/tenant/package-detail`, {
    title: ['产品包详情', 'Package of a tenant'],
    access: tenantAccess,
    input: Type.Object({ tenantId: Id() }),
    reply: Type.Unsafe<Partial<RowOf<typeof TenantPackage>>>({ ...TenantPackage.row, required: [] }),
  }),
  packageSetting: post(`${path}/tenant/package-setting`, {
    title: ['产品包配置', 'Set tenant package'],
    access: { code: 'tenant_edit' },
    input: Type.Object({ tenantId: codeInput, packageId }),
    reply: NoContent,
  }),
};

/** Tenants deleted within the last thirty days. */
export const deletedTenants = {
  entity: DeletedTenant,
  menu: 'tenant',
  list: list(`${path}/tenant/deleted-list`, DeletedTenant, { code: 'tenant_delete' }, ['已删除租户', 'Deleted tenants']),
};

export const tenantProblems = {
  platformProtected: problem(403, ['平台租户受保护', 'The platform tenant is protected.']),
  platformSuspended: problem(403, ['平台租户不能停用', 'The platform tenant cannot be suspended.']),
  restoreExpired: problem(409, ['已超过可恢复期限', 'The restore period has ended.']),
};
