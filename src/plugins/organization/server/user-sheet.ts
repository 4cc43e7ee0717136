import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { ApiError, currentActor, type SheetServing } from '#server';
import { Id, MultiSelect, Nullable, Text, traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { organizationProblems, UserAccount, type UserRow, user } from '../contract.ts';
import type { AccountForm, Accounts } from './accounts.ts';
import type { UserAccess } from './user-access.ts';

const { account, name, realName, email, phone, roleId, deptId, postId, birthday } = UserAccount.fields;

/** Gives a field the column title BladeX-compatible clients use. */
const withTitle = <Schema extends TSchema>(schema: Schema, title: LocalizedText): Schema => ({
  ...schema,
  title: title[1],
  field: { ...traitsOf(schema), title },
});
const ids = (title: LocalizedText) => Nullable(MultiSelect(Id({ title, form: true }), { comma: true }));

const columns = {
  tenantId: Nullable(Text({ title: ['租户编号', 'Tenant code'], maxLength: 12 })),
  account: withTitle(account, ['账户', 'Account']),
  name: Nullable(withTitle(name, ['昵称', 'Nickname'])),
  realName: withTitle(realName, ['姓名', 'Name']),
  email: Type.Optional(withTitle(email, ['邮箱', 'Email'])),
  phone: Type.Optional(withTitle(phone, ['手机', 'Phone'])),
  roleId: Type.Optional(withTitle(roleId, ['角色名称', 'Roles'])),
  deptId: Type.Optional(withTitle(deptId, ['部门名称', 'Departments'])),
  postId: Type.Optional(withTitle(postId, ['岗位名称', 'Positions'])),
  birthday: Type.Optional(withTitle(birthday, ['生日', 'Birthday'])),
};

/** Row of a sheet; roles, departments and positions are given by name or id, and names take precedence. */
const form = Type.Object({
  ...columns,
  roleIds: ids(['角色ID', 'Role IDs']),
  deptIds: ids(['部门ID', 'Department IDs']),
  postIds: ids(['岗位ID', 'Position IDs']),
});

interface UserSheetRow extends AccountForm {
  readonly tenantId?: string;
  readonly roleIds?: string[];
  readonly deptIds?: string[];
  readonly postIds?: string[];
}

/** Reads and writes users in the sheet format of BladeX-compatible clients. */
export function userSheets({ db, accounts, rules }: Pick<UserAccess, 'db' | 'accounts' | 'rules'>): SheetServing {
  const ownTenant = () => currentActor()?.tenantId ?? '';

  async function save({ tenantId, roleIds, deptIds, postIds, ...row }: UserSheetRow, covers: boolean) {
    if (tenantId && tenantId !== ownTenant()) throw new ApiError(organizationProblems.foreignTenant, {}, { field: 'tenantId' });
    const existing = covers && row.account ? await accounts.find({ account: row.account }) : undefined;
    if (existing) await rules.lockAdministrators();
    const entries = Object.entries({ roleId: row.roleId ?? roleIds, deptId: row.deptId ?? deptIds, postId: row.postId ?? postIds });
    const links = Object.fromEntries(entries.filter(([, listed]) => listed !== undefined));
    return accounts.save({ ...(existing ? { id: existing.id } : { userType: 1, name: row.realName ?? '' }), ...row, ...links });
  }

  return {
    calls: user,
    columns,
    form,
    repository: (covers) =>
      Object.assign(Object.create(accounts), {
        async addAll(rows: readonly UserSheetRow[]) {
          const outcomes: (UserRow | ApiError)[] = [];
          for (const row of rows) outcomes.push(await db.write({ tenantId: ownTenant() }, () => save(row, covers)).catch(onlyApiError));
          return outcomes;
        },
        walk: (...args: Parameters<Accounts['walk']>) => {
          const step = accounts.walk(...args);
          return async () => (await step()).map((row) => ({ ...row, tenantId: ownTenant() }));
        },
      }),
  };
}

function onlyApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
