import type { Static } from 'typebox';
import * as Type from 'typebox';
import { entity, get, Ids, list, NoContent, NoInput, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Email, Flag, Id, Integer, LongText, Nullable, Secret, Select, Text, Url } from '#shared/fields';
import { flagParameter, integerParameter, type Parameter } from '#shared/parameters';
import { EmailKind } from './own-contract.ts';

const path = '/api/blade-resource/email';

/** Values of `security`: how the connection to the server is encrypted. */
export const securityModes = { none: 0, startTls: 1, tls: 2 } as const;

const server = ['发信服务器', 'Outgoing server'] as const;
const sender = ['发件人', 'Sender'] as const;
const sending = ['发送', 'Sending'] as const;

/** SMTP settings of a tenant, one row. */
export const EmailServer = entity('email_server', {
  id: Id(),
  isEnabled: Flag({
    title: ['发送邮件', 'Send e-mail'],
    default: true,
    help: ['停用后不再产生新邮件，已排队的邮件暂停发送', 'While off, no new e-mail is queued and queued e-mail waits'],
    group: server,
  }),
  host: Text({
    title: ['服务器地址', 'Host'],
    maxLength: 255,
    pattern: '^[A-Za-z0-9.:_-]+$',
    placeholder: ['smtp.exmail.qq.com', 'smtp.example.com'],
    group: server,
  }),
  security: Select({
    title: ['加密方式', 'Encryption'],
    options: [
      [securityModes.none, ['不加密', 'None']],
      [securityModes.startTls, ['STARTTLS', 'STARTTLS']],
      [securityModes.tls, ['SSL/TLS', 'SSL/TLS']],
    ],
    default: securityModes.tls,
    help: ['465 端口通常为 SSL/TLS，587 端口为 STARTTLS', 'Usually SSL/TLS on port 465 and STARTTLS on port 587'],
    group: server,
  }),
  port: Integer({ title: ['端口', 'Port'], minimum: 1, maximum: 65_535, default: 465, group: server }),
  username: Nullable(
    Text({ title: ['用户名', 'Username'], maxLength: 255, help: ['留空则不登录', 'Leave empty to connect without signing in'], group: server }),
  ),
  password: Nullable(
    Secret({
      title: ['密码', 'Password'],
      maxLength: 255,
      requiredWhen: {
        all: [
          { field: 'id', is: '0' },
          { field: 'username', filled: true },
        ],
      },
      help: ['多数邮箱使用授权码；更换服务器或用户名时须重新填写', 'Often an app password. Enter it again when the server or the username changes'],
      group: server,
    }),
  ),
  caCertificate: Nullable(
    LongText({
      title: ['CA 证书', 'CA certificate'],
      maxLength: 20_000,
      list: false,
      help: ['服务器使用自签名或内部 CA 时填写（PEM）', 'For a self-signed certificate or an internal CA, in PEM'],
      group: server,
    }),
  ),
  senderName: Text({ title: ['发件人名称', 'Sender name'], maxLength: 64, group: sender }),
  senderAddress: Email({ title: ['发件人邮箱', 'Sender address'], personal: false, group: sender }),
  replyTo: Nullable(
    Email({ title: ['回复地址', 'Reply-to'], help: ['留空则回复到发件人邮箱', 'Defaults to the sender address'], personal: false, group: sender }),
  ),
  consoleUrl: Url({
    title: ['控制台地址', 'Console address'],
    help: ['邮件中的链接以此开头', 'Links in e-mails begin with it'],
    group: sending,
  }),
  language: Select({
    title: ['默认语言', 'Default language'],
    options: [
      ['zh', ['中文', 'Chinese']],
      ['en', ['英文', 'English']],
    ],
    default: 'zh',
    help: ['用于尚未选择语言的收件人', 'For recipients who have not chosen a language'],
    group: sending,
  }),
  perMinute: Integer({ title: ['每分钟上限', 'Limit per minute'], minimum: 1, maximum: 6000, default: 60, unit: ['封', 'e-mails'], group: sending }),
});
export type EmailServerRow = RowOf<typeof EmailServer>;

/** Causes of a failed delivery. */
export const failures = {
  refused: ['服务器拒绝连接', 'Connection refused'],
  unreachable: ['找不到服务器', 'Server not found'],
  timeout: ['服务器未及时响应', 'The server did not answer in time'],
  blocked: ['不允许连接内部地址', 'Internal addresses are not allowed'],
  tls: ['加密连接失败', 'Encryption failed'],
  auth: ['用户名或密码错误', 'Wrong username or password'],
  sender: ['发件人被拒绝', 'Sender refused'],
  recipient: ['收件人被拒绝', 'Recipient refused'],
  rejected: ['邮件被拒收', 'Message rejected'],
  temporary: ['服务器暂时无法接收', 'Temporarily refused'],
  connection: ['连接中断', 'Connection lost'],
} as const;
export type EmailFailure = keyof typeof failures;
const failureNames = Object.keys(failures) as EmailFailure[];

export const messageStates = { queued: 0, sending: 1, sent: 2, failed: 3 } as const;

const messageCode = { code: 'email_message' };

/** E-mail to one recipient: the queue, and the log once it is sent or given up. Its content is encrypted, and deleted once it is sent. */
export const EmailMessage = entity(
  'email_message',
  {
    id: Id(),
    recipient: Text({ title: ['收件人', 'Recipient'], maxLength: 64, search: true, width: 120, personal: 'name' }),
    address: Text({ title: ['邮箱', 'Address'], maxLength: 128, width: 200, personal: 'email' }),
    kind: Text({ title: ['类型', 'Type'], maxLength: 64, width: 120 }),
    subject: Text({ title: ['主题', 'Subject'], maxLength: 255, search: true, width: 260 }),
    state: Select({
      title: ['状态', 'Status'],
      options: [
        [messageStates.queued, ['待发送', 'Queued']],
        [messageStates.sending, ['发送中', 'Sending']],
        [messageStates.sent, ['已发送', 'Sent']],
        [messageStates.failed, ['失败', 'Failed']],
      ],
      tones: { 0: 'neutral', 1: 'warning', 2: 'good', 3: 'danger' },
      search: true,
    }),
    failure: Nullable(Select({ title: ['原因', 'Reason'], options: failureNames.map((name) => [name, failures[name]] as const), search: true })),
    answer: Nullable(Text({ title: ['服务器答复', 'Server’s answer'], maxLength: 500, width: 260 })),
    attempts: Integer({ title: ['次数', 'Attempts'], minimum: 0 }),
    dueAt: Nullable(DateTime({ title: ['下次尝试', 'Next attempt'] })),
    sentAt: Nullable(DateTime({ title: ['发送时间', 'Sent'] })),
  },
  { history: false, personal: { code: 'email_message_address' } },
);
export type EmailMessageRow = RowOf<typeof EmailMessage>;

const Outcome = Type.Object({
  isSent: Type.Boolean(),
  address: Type.String(),
  failure: Type.Unsafe<EmailFailure | null>({ type: ['string', 'null'], enum: [...failureNames, null] }),
  /** Response of the server, or error of the connection, as received. */
  answer: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});
/** Result of a test e-mail. */
export type TestOutcome = Static<typeof Outcome>;

const text = Type.String();

export const emailServer = {
  entity: EmailServer,
  menu: 'email',
  /** Returns defaults with the id '0' and empty texts while nothing is saved. */
  read: get(`${path}/detail`, {
    title: ['邮件配置', 'E-mail settings'],
    access: { code: 'email' },
    input: NoInput,
    reply: Type.Object(
      { ...EmailServer.row.properties, host: text, senderName: text, senderAddress: text, consoleUrl: text, version: text },
      { entity: EmailServer.name },
    ),
  }),
  submit: post(`${path}/submit`, {
    title: ['保存邮件配置', 'Save e-mail settings'],
    access: { code: 'email_edit' },
    effect: 'updated',
    input: EmailServer.form,
    reply: EmailServer.row,
  }),
  /** Sends an e-mail with the saved settings at once, by default to the caller's address. */
  test: post(`${path}/test`, {
    title: ['发送测试邮件', 'Send a test e-mail'],
    access: { code: 'email_test' },
    input: Type.Object({ to: Nullable(Email({ title: ['收件邮箱', 'Recipient'] })) }),
    reply: Outcome,
  }),
};

export const emailMessage = {
  entity: EmailMessage,
  menu: messageCode.code,
  list: list(`${path}/message/list`, EmailMessage, messageCode, ['邮件发送记录', 'E-mail log']),
  /** Sends failed e-mails again whose content is still stored, and queued ones at once. */
  retry: post(`${path}/message/retry`, { title: ['重新发送', 'Send again'], access: { code: 'email_message_retry' }, input: Ids, reply: NoContent }),
};

const language = Type.Unsafe<'zh' | 'en'>({ type: 'string', enum: ['zh', 'en'] });
const texts = Type.Array(Type.String());

const Document = Type.Object({
  subject: Type.String(),
  paragraphs: texts,
  table: Type.Optional(Type.Object({ headings: texts, rows: Type.Array(texts) })),
  action: Type.Optional(Type.Object({ label: Type.String(), url: Type.String() })),
  footer: texts,
});
/** Content of an e-mail in one language, from which its plain text and its HTML are made. */
export type MailDocument = Static<typeof Document>;

const templateCode = { code: 'email_template' };
const kindCode = Type.String({ maxLength: 64 });

export const emailTemplates = {
  list: get(`${path}/template/list`, { title: ['邮件模板', 'E-mail templates'], access: templateCode, input: NoInput, reply: Type.Array(EmailKind) }),
  /** Shows an e-mail with sample values. */
  preview: get(`${path}/template/preview`, {
    title: ['预览邮件', 'Preview an e-mail'],
    access: templateCode,
    input: Type.Object({ code: kindCode, language }),
    reply: Document,
  }),
  /** Sends the sample to the caller's own address at once. */
  send: post(`${path}/template/send`, {
    title: ['发送样例', 'Send a sample'],
    access: templateCode,
    input: Type.Object({ code: kindCode, language }),
    reply: Outcome,
  }),
};

export const emailProblems = {
  internal: problem(400, [
    '不允许连接内部地址，可由部署人员用 EGRESS_ALLOW 放行',
    'Internal addresses are not allowed unless the deployment lists them in EGRESS_ALLOW.',
  ]),
  host: problem(400, ['服务器地址无效', 'The host is invalid.']),
  passwordAgain: problem(400, ['更换服务器或用户名时须重新填写密码', 'Enter the password again when the server or the username changes.']),
  certificate: problem(400, ['CA 证书不是有效的 PEM 证书', 'The CA certificate is not a valid PEM certificate.']),
  notSetUp: problem(409, ['尚未配置邮件服务器，请联系管理员', 'E-mail is not set up. Contact your administrator.']),
  noAddress: problem(409, ['您尚未填写邮箱，请先在个人信息中填写', 'Your account has no e-mail address. Add one in your profile first.']),
  tooOften: problem(429, ['测试过于频繁，请稍后再试', 'Too many tests. Try again later.']),
  contentGone: problem(409, ['邮件内容已清除，无法重新发送', 'The content has been deleted, so the e-mail cannot be sent again.']),
  tooManyViews: problem(409, ['邮件视图最多 20 个', 'You can have at most 20 mailed views.']),
};

export const retentionDays = integerParameter({
  key: 'email.keepDays',
  group: ['邮件', 'E-mail'],
  title: ['邮件记录保留天数', 'E-mail log retention'],
  help: ['更早的邮件记录会被删除', 'Older records are deleted'],
  preset: 180,
  maximum: 3650,
  minimum: 7,
  unit: ['天', 'days'],
});

export const digestHour = integerParameter({
  key: 'email.digestHour',
  group: ['邮件', 'E-mail'],
  title: ['待办提醒时刻', 'Hour of the daily reminder'],
  help: ['工作日从此整点起，将待处理事项邮件发送给有待办的人', 'On weekdays, people with pending work get it by e-mail from this hour'],
  preset: 9,
  maximum: 22,
  minimum: 0,
  unit: ['点', 'o’clock'],
});

export const isDigestSent = flagParameter({
  key: 'email.digest',
  group: ['邮件', 'E-mail'],
  title: ['待办提醒', 'Daily reminder of pending work'],
  help: ['停用后不再发送待办提醒邮件', 'Turn off to send no reminders'],
  preset: true,
});

/** Parameters this plugin reads. */
export const emailParameters: readonly Parameter[] = [retentionDays, isDigestSent, digestHour];
