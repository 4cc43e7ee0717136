import { erasedName, type PersonalRecords, recordsOf } from '#server';
import { UserAccount, userStatus } from '../contract.ts';
import { deletedUserDays } from '../parameter-contract.ts';

const byUser = { user_id: 'user' } as const;

/** Accounts, with their departments and positions. The row of an erased user stays, disabled and without data, because other rows name it. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(UserAccount, {
    title: ['用户账号', 'User account'],
    person: { id: 'user' },
    erase: { account: 'erased-{id}', realName: erasedName, name: erasedName, passwordHash: '!', status: userStatus.disabled, isDeleted: 1 },
    retention: { days: deletedUserDays, since: 'update_time', where: 'is_deleted = 1' },
  }),
  { table: 'user_role', title: ['用户角色', 'Roles'], person: byUser, columns: ['role_id'], erase: 'delete' },
  { table: 'user_dept', title: ['用户部门', 'Departments'], person: byUser, columns: ['dept_id'], erase: 'delete' },
  { table: 'user_post', title: ['用户岗位', 'Positions'], person: byUser, columns: ['post_id'], erase: 'delete' },
];
