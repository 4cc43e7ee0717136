import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  BatchIds,
  BatchReply,
  crud,
  entity,
  get,
  Ids,
  level,
  list,
  NoContent,
  NoInput,
  post as postCall,
  type RowOf,
  TreeNode,
  TreeOf,
  tree,
  withBatchResult,
  withFreshProof,
} from '#shared/contract';
import { problem } from '#shared/errors';
import {
  DateOnly,
  Dictionary,
  Email,
  Flag,
  Id,
  Image,
  Integer,
  LongText,
  MultiSelect,
  Nullable,
  Parent,
  Phone,
  Reference,
  Secret,
  Select,
  Text,
} from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { OneTimePassword } from '#shared/one-time-passwords';
import { sheetCalls } from '#shared/sheet-calls';

const system = '/api/blade-system';
const thingsSystem = '/api/things-system';
/** Optional tenant of the request; another tenant than the caller's own yields an empty result. */
const OfTenant = Type.Object({ tenantId: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 12 })) });
const IdList = Type.Unsafe<string>({ type: 'string', pattern: '^(\\d{1,19}(,\\d{1,19}){0,199})?$' });
const OfUser = Type.Object({ userId: Type.Optional(Id()), deptId: Type.Optional(IdList) });

/** Department below its `parentId`; `ancestors` is the path of ids from '0', maintained by the database. */
export const Dept = entity(
  'dept',
  {
    id: Id(),
    parentId: Parent({ title: ['上级部门', 'Parent department'], list: false }),
    ancestors: LongText({ title: ['祖级列表', 'Path'], list: false, form: false }),
    deptName: Text({ title: ['部门名称', 'Department'], maxLength: 64, search: true }),
    fullName: Text({ title: ['部门全称', 'Full name'], maxLength: 128, search: true }),
    deptCategory: Nullable(Dictionary({ title: ['部门类型', 'Type'], code: 'org_category', search: true })),
    sort: Integer({ title: ['排序', 'Sort order'], minimum: 0, default: 1 }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { order: ['sort'], archivable: true, ownership: { user: 'createUser', department: 'id' } },
);
export type DeptRow = RowOf<typeof Dept>;

const deptCode = { code: codes('dept').page };
const LazyNode = Type.Object({ ...TreeNode.properties, hasChildren: Type.Boolean() });

export const dept = {
  ...crud(`${thingsSystem}/dept`, Dept, { tree: true, lazy: true }),
  list: tree(`${system}/dept/list`, Dept, deptCode, ['部门列表', 'Departments']),
  lazy: level(`${thingsSystem}/dept/lazy-list`, Dept, deptCode, ['部门逐级列表', 'Department level']),
  tree: get(`${thingsSystem}/dept/tree`, { title: ['部门树', 'Department tree'], access: 'signedIn', input: OfTenant, reply: TreeOf(TreeNode) }),
  lazyTree: get(`${system}/dept/lazy-tree`, {
    title: ['部门逐级树', 'Department tree level'],
    access: 'signedIn',
    input: Type.Object({ parentId: Type.Optional(Id()) }),
    reply: Type.Array(LazyNode),
  }),
  /** Lists all departments, or with `userId` those of a user, the main one first; with comma-separated `deptId` only those. */
  select: get(`${system}/dept/select`, { title: ['部门下拉', 'Department options'], access: 'signedIn', input: OfUser, reply: Type.Array(Dept.row) }),
};

/** Position that a user holds, independent of departments. */
export const Post = entity(
  'post',
  {
    id: Id(),
    category: Dictionary({ title: ['岗位类型', 'Type'], code: 'post_category', search: true }),
    postCode: Text({ title: ['岗位编号', 'Position code'], maxLength: 64, search: true, sort: true, copyable: true }),
    postName: Text({ title: ['岗位名称', 'Position'], maxLength: 64, search: true }),
    sort: Integer({ title: ['排序', 'Sort order'], minimum: 0, default: 1, sort: true }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { order: ['sort'], archivable: true },
);

export const post = {
  ...crud(`${system}/post`, Post),
  select: get(`${system}/post/select`, { title: ['岗位下拉', 'Position options'], access: 'signedIn', input: OfTenant, reply: Type.Array(Post.row) }),
};

const users = '/api/oms-system/user';
const userCode = { code: codes('user').page };

/** Lists roles with their names: those the caller can grant, or those with the given ids. */
const grantableRoles = get(`${users}/roles`, {
  title: ['可授予的角色', 'Grantable roles'],
  access: userCode,
  input: Type.Object({ ids: Type.Optional(IdList) }),
  reply: Type.Array(Type.Object({ id: Id(), name: Text({ title: ['角色名称', 'Role'] }) })),
});

const account = ['账号', 'Account'] as const;
const dutyGroup = ['组织与权限', 'Organization and roles'] as const;
const profileGroup = ['个人资料', 'Profile'] as const;

/** Values of the column `status` of an account. */
export const userStatus = { enabled: 1, disabled: 2, awaitingApproval: 3 } as const;

/** User account. The first department is the main one. Passwords are not part of it. */
export const UserAccount = entity(
  'user_account',
  {
    id: Id(),
    account: Text({ title: account, maxLength: 64, pattern: '^\\S+$', search: true, sort: true, copyable: true, personal: 'other', group: account }),
    realName: Text({ title: ['姓名', 'Name'], maxLength: 64, search: true, sort: true, personal: 'name', group: account }),
    name: Text({ title: ['昵称', 'Nickname'], maxLength: 64, personal: 'name', group: account }),
    deptId: Nullable(
      MultiSelect(
        Reference({ title: ['部门', 'Departments'], onDelete: 'refuse', from: { call: dept.tree, entity: Dept.name, shape: 'tree' }, group: dutyGroup }),
        { comma: true },
      ),
    ),
    postId: Nullable(
      MultiSelect(
        Reference({ title: ['岗位', 'Positions'], onDelete: 'refuse', from: { call: post.select, entity: Post.name, title: 'postName' }, group: dutyGroup }),
        { comma: true },
      ),
    ),
    roleId: Nullable(
      MultiSelect(
        Reference({
          title: ['角色', 'Roles'],
          onDelete: 'refuse',
          from: { call: grantableRoles, entity: 'role', lookup: 'ids' },
          group: dutyGroup,
          search: true,
        }),
        { comma: true },
      ),
    ),
    phone: Nullable(Phone({ title: ['手机号', 'Phone'], search: true, group: profileGroup })),
    email: Nullable(Email({ title: ['邮箱', 'Email'], group: profileGroup })),
    code: Nullable(Text({ title: ['工号', 'Employee no.'], maxLength: 64, search: true, personal: 'other', group: profileGroup })),
    sex: Nullable(
      Select({
        title: ['性别', 'Gender'],
        options: [
          [1, ['男', 'Male']],
          [2, ['女', 'Female']],
          [3, ['未知', 'Unknown']],
        ],
        personal: 'other',
        group: profileGroup,
      }),
    ),
    birthday: Nullable(DateOnly({ title: ['生日', 'Birthday'], personal: 'other', group: profileGroup })),
    avatar: Nullable(Image({ title: ['头像', 'Picture'], list: false, personal: 'other', group: profileGroup })),
    userType: Select({
      title: ['用户平台', 'Platform'],
      options: [
        [1, ['WEB', 'Web']],
        [2, ['APP', 'App']],
        [3, ['其他', 'Other']],
      ],
      default: 1,
      search: true,
      group: profileGroup,
    }),
    /** Details that the platform of `userType` stores about the user, in its own form. */
    userExt: Nullable(LongText({ title: ['平台扩展信息', 'Platform details'], list: false, form: false, personal: 'other' })),
    status: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      group: account,
      default: userStatus.enabled,
      tones: { 1: 'good', 2: 'neutral', 3: 'warning' },
      options: [
        [userStatus.enabled, ['启用', 'Enabled']],
        [userStatus.disabled, ['停用', 'Disabled']],
        [userStatus.awaitingApproval, ['待审核', 'Awaiting approval']],
      ],
    }),
    passwordExpired: Flag({ title: ['须修改密码', 'Must change password'], form: false, group: account }),
  },
  {
    ownership: { user: 'id', department: 'deptId' },
    personal: { code: 'user_personal', person: 'id' },
    related: { scopeRules: MultiSelect(Text({ title: ['可见范围', 'Visible rows'] })) },
  },
);
export type UserRow = RowOf<typeof UserAccount>;

/** Form of an account. A new account without a password gets a generated one; an existing one keeps its password. */
const UserForm = Type.Object(
  {
    ...UserAccount.form.properties,
    password: Nullable(Secret({ title: ['密码', 'Password'], maxLength: 512, form: false })),
  },
  { additionalProperties: false },
);
export type UserSubmit = Static<typeof UserForm>;

const Platform = Type.Object({ id: Id(), account: UserAccount.fields.account, userType: UserAccount.fields.userType, userExt: UserAccount.fields.userExt });

const calls = withFreshProof(crud(users, UserAccount, { menu: 'user', input: UserForm }), 'submit', 'bulkSubmit', 'import', 'export', 'historyExport');
const SavedUser = Type.Object({ ...UserAccount.row.properties, oneTimePassword: Type.Optional(OneTimePassword) });

export const user = {
  ...calls,
  ...withFreshProof(sheetCalls(`${system}/user`, 'user', UserAccount, 'user'), 'importSheet', 'exportSheet'),
  /** `deptId` filters by a department and its descendants. */
  list: list(`${users}/userlist`, UserAccount, userCode, ['用户列表', 'Users']),
  /** Returns the first 200 users without paging. */
  choices: { ...list(`${system}/user/user-list`, UserAccount, userCode, ['用户下拉', 'User options']), reply: Type.Array(UserAccount.row) },
  all: list(`${users}/alluserlist`, UserAccount, userCode, ['全部用户', 'All users']),
  roles: grantableRoles,
  info: get(`${system}/user/info`, { title: ['本人信息', 'Current user'], access: 'signedIn', input: NoInput, reply: UserAccount.row }),
  /** The reply for a new account contains the generated password, unless the form set one. */
  submit: { ...calls.submit, reply: SavedUser },
  /** Resets the password of one user by `id`, or of several by `userIds`. Only this reply contains the generated passwords; they must be changed at the next sign-in. */
  resetPassword: postCall(`${users}/reset-password`, {
    title: ['重置密码', 'Reset password'],
    access: { code: 'user_reset' },
    proof: 'fresh',
    input: Type.Object({ id: Type.Optional(Id()), userIds: Type.Optional(Ids.properties.ids), partial: BatchIds.properties.partial }),
    reply: withBatchResult(Type.Object({ passwords: Type.Array(OneTimePassword) })),
  }),
  /** Resets passwords and e-mails them instead of returning them; users who receive no e-mail are refused. */
  mailPasswords: postCall(`${users}/mail-password`, {
    title: ['邮件发送密码', 'E-mail passwords'],
    access: { code: 'user_reset' },
    proof: 'fresh',
    input: Type.Object({ ...Ids.properties, partial: BatchIds.properties.partial }),
    reply: BatchReply,
  }),
  updateStatus: postCall(`${users}/update-status`, {
    title: ['启用或停用用户', 'Enable or disable users'],
    access: { code: 'user_status' },
    input: Type.Object({
      ...Ids.properties,
      partial: BatchIds.properties.partial,
      status: Type.Unsafe<1 | 2>({ type: 'integer', enum: [userStatus.enabled, userStatus.disabled] }),
    }),
    reply: BatchReply,
  }),
  /** Replaces the roles of the users. */
  grant: postCall(`${system}/user/grant`, {
    title: ['分配角色', 'Assign roles'],
    access: { code: 'user_role' },
    proof: 'fresh',
    input: Type.Object({ userIds: Ids.properties.ids, roleIds: Type.Array(Id(), { maxItems: 100 }), partial: BatchIds.properties.partial }),
    reply: BatchReply,
  }),
  updatePlatform: postCall(`${system}/user/update-platform`, {
    title: ['平台配置', 'Platform settings'],
    access: { code: 'user_platform' },
    input: Type.Object({ userId: Id(), userType: UserAccount.fields.userType, userExt: UserAccount.fields.userExt }),
    reply: NoContent,
  }),
  platformDetail: get(`${system}/user/platform-detail`, {
    title: ['平台配置详情', 'Platform details'],
    access: userCode,
    input: Type.Object({ id: Id() }),
    reply: Platform,
  }),
};

export const organizationProblems = {
  deptOwnParent: problem(400, ['父节点不可选择自身!', 'A department cannot be its own parent.']),
  noParentDept: problem(400, ['上级部门不存在!', 'Parent department not found.']),
  deptHasChildren: problem(409, ['请先删除子节点!', 'Delete its child departments first.']),
  roleNotGrantable: problem(403, ['不能授予或收回超出自身权限的角色', 'You cannot grant or revoke a role with more permissions than you have.']),
  ownAccount: problem(403, ['不能对自己执行此操作', 'You cannot perform this action on your own account.']),
  lastAdministrator: problem(409, ['平台至少保留一名可登录的超级管理员', 'The platform must keep at least one administrator who can sign in.']),
  passwordOnEdit: problem(400, ['修改用户时不能设置密码，请使用重置密码', 'A password cannot be set when editing a user. Reset it instead.']),
  noMailServer: problem(409, ['还没有设置发信服务器，请先在「邮件配置」中设置', 'No mail server is set up yet. Set one up under E-mail.']),
  noAddress: problem(409, ['{name} 没有可用的邮箱，请先补充或直接重置密码', '{name} has no usable e-mail address. Add one, or reset the password instead.']),
  foreignTenant: problem(403, ['只能导入本租户的用户', 'Only users of your own tenant can be imported.']),
  awaitingApproval: problem(409, ['待审核的用户请在注册审核中处理', 'This user is awaiting approval. Review the request under Registrations.']),
};
