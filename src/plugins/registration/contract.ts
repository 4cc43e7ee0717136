import * as Type from 'typebox';
import { entity, get, list, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Id, LongText, MultiSelect, Nullable, Reference, Select, Text } from '#shared/fields';
import { personalRetentionDays } from '#shared/kernel-parameters';
import { registrationStatuses } from '#shared/registration';

const path = '/api/blade-system';

/** Role or department that the caller can grant. */
const Option = Type.Object({ id: Id(), name: Text({ title: ['名称', 'Name'] }) });
const registrationCode = { code: 'registration' };

/** Roles and departments that can be granted to an applicant. */
export const registrationChoices = {
  roles: get(`${path}/registration/roles`, { title: ['可授予的角色', 'Grantable roles'], access: registrationCode, input: NoInput, reply: Type.Array(Option) }),
  depts: get(`${path}/registration/depts`, {
    title: ['可选的部门', 'Department options'],
    access: registrationCode,
    input: NoInput,
    reply: Type.Array(Option),
  }),
};

/** Days after which the personal data of rejected requests is erased. */
export const refusedDays = personalRetentionDays({
  key: 'registration.refusedDays',
  preset: 365,
  record: ['已拒绝的注册申请', 'Rejected registrations'],
  event: ['拒绝', 'the rejection'],
});

/** Registration request and its decision. */
export const Registration = entity('registration', {
  id: Id(),
  account: Text({ title: ['账号', 'Account'], maxLength: 64, search: true, form: false, personal: 'other' }),
  name: Text({ title: ['姓名', 'Name'], maxLength: 64, search: true, form: false, personal: 'name' }),
  source: Text({ title: ['来源', 'Source'], maxLength: 32, form: false }),
  phone: Nullable(Text({ title: ['手机号', 'Phone'], maxLength: 32, form: false, personal: 'phone' })),
  email: Nullable(Text({ title: ['邮箱', 'Email'], maxLength: 128, form: false, personal: 'email' })),
  decision: Select({
    title: ['审核', 'Status'],
    form: false,
    search: true,
    default: registrationStatuses.pending,
    tones: { 0: 'warning', 1: 'good', 2: 'danger' },
    options: [
      [registrationStatuses.pending, ['待审核', 'Pending']],
      [registrationStatuses.approved, ['已通过', 'Approved']],
      [registrationStatuses.refused, ['已拒绝', 'Rejected']],
    ],
  }),
  roleIds: Nullable(
    MultiSelect(Reference({ title: ['角色', 'Roles'], list: false, onDelete: 'keep', from: { call: registrationChoices.roles, entity: 'role' } })),
  ),
  deptIds: Nullable(
    MultiSelect(Reference({ title: ['部门', 'Departments'], list: false, onDelete: 'keep', from: { call: registrationChoices.depts, entity: 'dept' } })),
  ),
  /** The applicant sees the reason. */
  reason: Nullable(LongText({ title: ['拒绝原因（申请人可见）', 'Reason (visible to the applicant)'], maxLength: 255, list: false })),
  /** Account that waits for approval or was approved. */
  userId: Id({ title: ['用户编号', 'User ID'] }),
  decidedAt: Nullable(DateTime({ title: ['审核时间', 'Reviewed'], form: false })),
});

export const registration = {
  entity: Registration,
  menu: registrationCode.code,
  list: list(`${path}/registration/list`, Registration, registrationCode, ['注册申请', 'Registrations']),
  detail: get(`${path}/registration/detail`, {
    title: ['注册申请详情', 'Registration'],
    access: registrationCode,
    input: Type.Object({ id: Id() }),
    reply: Registration.row,
  }),
  /** Enables the account with these roles and departments. The caller cannot grant a role with more permissions than their own. */
  approve: post(`${path}/registration/approve`, {
    title: ['通过注册申请', 'Approve a registration'],
    access: { code: 'registration_approve' },
    proof: 'fresh',
    input: Type.Object({ id: Id(), roleIds: Registration.fields.roleIds, deptIds: Registration.fields.deptIds }),
    reply: Registration.row,
  }),
  /** Rejects a request. The account name can be used again, and the applicant can register again. */
  refuse: post(`${path}/registration/refuse`, {
    title: ['拒绝注册申请', 'Reject a registration'],
    access: { code: 'registration_refuse' },
    input: Type.Object({ id: Id(), reason: Type.Optional(Registration.fields.reason) }),
    reply: Registration.row,
  }),
};

export const registrationDecisionProblems = {
  decidedAlready: problem(409, ['该申请已审核', 'This registration has already been reviewed.']),
  roleNotGrantable: problem(403, ['不能授予超出自身权限的角色', 'You cannot grant a role with more permissions than you have.']),
};
