import { Array as List, Optional as Omissible, Object as Shape } from 'typebox';
import { crud, entity, get, list, Nothing, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, DateTime, Id, LongText, Optional, Reference, Secret, Several, Text, ZeroOne } from '#shared/fields';
import { registrationDecisions } from '#shared/registration';
import { socialSources } from '#shared/social';
import type { Words } from '#shared/text';

const path = '/api/blade-system';

/** What a tenant is at a provider of identities; the secret is sealed. */
export const SocialApp = entity('social_app', {
  id: Id(),
  source: Choice({ title: ['平台', 'Provider'], options: Object.entries(socialSources), search: true }),
  clientId: Text({ title: ['应用标识', 'Client id'], copyable: true }),
  clientSecret: Secret({ title: ['应用密钥', 'Client secret'] }),
  isEnabled: ZeroOne({ title: ['启用', 'Enabled'], default: 1 }),
});

export const socialApp = crud(`${path}/social-app`, SocialApp);

/** A role or a department whoever asks may give. */
const Given = Shape({ id: Id(), name: Text({ title: ['名称', 'Name'] }) });
const registrationCode = { code: 'registration' };

/** What may be given to somebody who has asked for an account. */
export const registrationChoices = {
  roles: get(`${path}/registration/roles`, { title: ['可授予的角色', 'Roles to give'], who: registrationCode, input: Nothing, reply: List(Given) }),
  depts: get(`${path}/registration/depts`, { title: ['可选的部门', 'Departments to give'], who: registrationCode, input: Nothing, reply: List(Given) }),
};

/** Who has asked for an account, and what became of it. */
export const Registration = entity('registration', {
  id: Id(),
  account: Text({ title: ['账号', 'Account'], maxLength: 64, search: true, form: false }),
  name: Text({ title: ['姓名', 'Name'], maxLength: 64, search: true, form: false }),
  source: Text({ title: ['来源', 'Source'], maxLength: 32, form: false }),
  phone: Optional(Text({ title: ['手机号', 'Phone'], maxLength: 32, form: false })),
  email: Optional(Text({ title: ['邮箱', 'E-mail'], maxLength: 128, form: false })),
  decision: Choice({
    title: ['审核', 'Decision'],
    form: false,
    search: true,
    default: registrationDecisions.pending,
    tones: { 0: 'warning', 1: 'good', 2: 'danger' },
    options: [
      [registrationDecisions.pending, ['待审核', 'Pending']],
      [registrationDecisions.approved, ['已通过', 'Approved']],
      [registrationDecisions.refused, ['已拒绝', 'Refused']],
    ],
  }),
  roleIds: Optional(Several(Reference({ title: ['角色', 'Roles'], list: false, from: { call: registrationChoices.roles } }))),
  deptIds: Optional(Several(Reference({ title: ['部门', 'Departments'], list: false, from: { call: registrationChoices.depts } }))),
  /** The applicant is told. */
  reason: Optional(LongText({ title: ['拒绝理由（申请人可见）', 'Reason (the applicant is told)'], maxLength: 255, list: false })),
  /** The account that waits, or was let in. */
  userId: Id({ title: ['用户编号', 'User id'] }),
  decidedAt: Optional(DateTime({ title: ['审核时间', 'Decided'], form: false })),
});

export const registration = {
  entity: Registration,
  menu: registrationCode.code,
  list: list(`${path}/registration/list`, Registration, registrationCode, ['注册申请', 'Registrations']),
  detail: get(`${path}/registration/detail`, {
    title: ['注册申请详情', 'Registration'],
    who: registrationCode,
    input: Shape({ id: Id() }),
    reply: Registration.row,
  }),
  /** The account may sign in from then on, with these roles and departments. Nobody gives more than they have. */
  approve: post(`${path}/registration/approve`, {
    title: ['通过注册申请', 'Approve a registration'],
    who: { code: 'registration_approve' },
    input: Shape({ id: Id(), roleIds: Registration.fields.roleIds, deptIds: Registration.fields.deptIds }),
    reply: Registration.row,
  }),
  /** The account's name becomes free, and the identity it was asked for with may ask again. */
  refuse: post(`${path}/registration/refuse`, {
    title: ['拒绝注册申请', 'Refuse a registration'],
    who: { code: 'registration_refuse' },
    input: Shape({ id: Id(), reason: Omissible(Registration.fields.reason) }),
    reply: Registration.row,
  }),
};

export const registrationDecisionProblems = {
  decidedAlready: problem(409, ['该申请已审核', 'This registration has been decided.']),
  notYours: problem(403, ['不能授予超出自身权限的角色', 'You cannot give a role that has more than you have.']),
};

/** What only the console says of registrations. */
export const registrationWords = {
  approve: ['通过', 'Approve'],
  refuse: ['拒绝', 'Refuse'],
  approving: ['通过注册申请', 'Approve registration'],
  refusing: ['拒绝注册申请', 'Refuse registration'],
  approved: ['已通过', 'Approved'],
  refused: ['已拒绝', 'Refused'],
} as const satisfies Record<string, Words>;

/** A text message that was kept instead of being sent. */
export const SmsOutboxMessage = entity('sms_outbox', {
  id: Id(),
  phone: Text({ title: ['手机号', 'Phone'], maxLength: 32, search: true }),
  content: Text({ title: ['内容', 'Text'], maxLength: 500 }),
});

const outboxCode = { code: 'sms_outbox' };

/** What would have been sent, where the deployment sends nothing. */
export const smsOutbox = {
  entity: SmsOutboxMessage,
  menu: outboxCode.code,
  list: list(`${path}/sms-outbox/list`, SmsOutboxMessage, outboxCode, ['短信发件箱', 'Text message outbox']),
};
