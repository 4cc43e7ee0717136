import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { crud, entity, event, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Flag, Id, LongText, type Option, Optional, Several, Text, Whole } from '#shared/fields';
import type { Words } from '#shared/text';

/** A parameter the server reads: what it means, what it may be and what holds without it. */
interface KnownParam {
  readonly value: string;
  readonly title: Words;
  readonly help: Words;
  /** What is accepted; anything where it is not said. */
  readonly form?: RegExp;
  /** What may be chosen, where it is one of a few. */
  readonly options?: readonly Option[];
}

const whole = /^\d{1,9}$/;
const count = (value: string, title: Words, preset: number, [zh, en]: Words): KnownParam => ({
  value,
  title,
  form: whole,
  help: [`${zh}。整数，默认 ${preset}`, `${en}. A whole number, ${preset} unless set`],
});

/** Every parameter some part of the product reads. */
export const knownParams: readonly KnownParam[] = [
  count('account.failCount', ['登录失败锁定次数', 'Failures before a lock'], 5, [
    '连续登录失败达到此次数后锁定 30 分钟',
    'An account is locked for 30 minutes after as many failures',
  ]),
  {
    value: 'account.initPassword',
    title: ['初始密码', 'Initial password'],
    help: [
      '新用户与重置密码后的初始密码，首次登录须修改。文本，默认 123456',
      'What new accounts and reset ones begin with; changed at the first sign-in. Text, 123456 unless set',
    ],
  },
  {
    value: 'account.registerUser',
    title: ['开放注册', 'Registration'],
    form: /^(true|false)$/,
    options: [
      ['true', ['开放', 'Open']],
      ['false', ['关闭', 'Closed']],
    ],
    help: [
      'true：任何人可注册；false：均不可；不设置：仅第三方登录用户可申请',
      'true: anybody may ask for an account; false: nobody; not set: those with an identity elsewhere',
    ],
  },
  {
    value: 'tenant.default.accountNumber',
    title: ['租户默认账号额度', 'Usual quota of a tenant'],
    form: /^(-1|\d{1,9})$/,
    help: ['新租户的账号额度，-1 不限制。整数，默认 -1', 'Accounts a new tenant may have, -1 for no limit. A whole number, -1 unless set'],
  },
  {
    value: 'tenant.default.menuCode',
    title: ['租户默认菜单', 'Usual menu of a tenant'],
    help: [
      '无产品包的新租户的菜单编号，以逗号分隔。文本，默认全部',
      'Codes of pages a new tenant without a package begins with, separated by commas. Text, all unless set',
    ],
  },
  {
    value: 'job.external',
    title: ['外部处理器', 'External processors'],
    form: /^(true|false)$/,
    help: ['true：PowerJob 任务可使用动态加载的处理器；默认 false', 'true: jobs on PowerJob may use processors that are loaded dynamically; false unless set'],
  },
  count('sms.perPhone', ['每号码每小时短信数', 'Text messages a phone'], 5, ['每个手机号每小时可收的验证码', 'Codes one phone is sent in an hour']),
  count('sms.perAddress', ['每地址每小时短信数', 'Text messages an address'], 20, [
    '每个网络地址每小时可请求的验证码',
    'Codes one network address may ask for in an hour',
  ]),
  count('sms.perTenant', ['每租户每小时短信数', 'Text messages a tenant'], 1000, ['每个租户每小时可发的验证码', 'Codes one tenant may send in an hour']),
  count('file.maxMegabytes', ['上传大小上限', 'Largest upload'], 20, ['单个文件的大小上限（MB）', 'Megabytes one file may have']),
  count('file.maxPartedMegabytes', ['分片上传大小上限', 'Largest upload in parts'], 2048, [
    '分片上传的单个文件的大小上限（MB）',
    'Megabytes one file may have that is sent in parts',
  ]),
  count('file.tenantMegabytes', ['租户存储额度', 'Storage of a tenant'], 0, [
    '每个租户的文件总量上限（MB），0 不限制；在键名后加 .租户编号 单独设置某个租户',
    'Megabytes the files of one tenant may have together, 0 for no limit; with .tenant-id after the key it is that tenant’s own',
  ]),
  count('task.submitHours', ['任务提交时限', 'Hours to hand in'], 24, [
    '领取后须在此小时数内提交凭证，否则名额释放；小程序设置保存后以其为准',
    'Hours in which proof follows a claim; after that its place is free again. Where mini-app settings were saved, theirs hold',
  ]),
  count('task.leaseMinutes', ['审核占用时长', 'Minutes of an audit'], 10, [
    '审核员取出的凭证在此分钟数内不会分给他人',
    'Minutes in which proof an auditor has taken is with nobody else',
  ]),
  count('task.auditHours', ['审核超时提醒', 'Hours until an audit is late'], 24, [
    '凭证待审核超过此小时数时在首页提醒；小程序设置保存后以其为准',
    'Proof that waits longer for an audit is told on the first page. Where mini-app settings were saved, theirs hold',
  ]),
  count('payment.singleLimit', ['单笔付款上限', 'Most of one payment'], 200_000, [
    '单笔付款的上限，单位分；0 表示不限',
    'What one payment may be at most, in fen; 0: no limit',
  ]),
  count('payment.dailyLimit', ['每日付款上限', 'Most of a day'], 10_000_000, [
    '每日付款合计的上限，单位分；0 表示不限',
    'What payments of a day may be together, in fen; 0: no limit',
  ]),
  count('payment.approvalAbove', ['免复核额度', 'Paid without approval'], 100_000, [
    '一人一日申请的付款合计超过此额度后须他人复核，单位分；0 表示都要复核',
    'Beyond this sum of a day, what one person pays is approved by another, in fen; 0: always',
  ]),
  {
    value: 'task.claimClients',
    title: ['小程序应用', 'Clients of the mini-app'],
    help: [
      '可领取任务的应用标识，以逗号分隔。文本，默认 miniapp',
      'Ids of the clients in which tasks are claimed, separated by commas. Text, miniapp unless set',
    ],
  },
  count('export.rowsWaitedFor', ['即时导出行数', 'Rows exported at once'], 10_000, ['超过此行数的导出在后台进行', 'Longer exports go on in the background']),
  count('notice.newcomerDays', ['新接收人补发天数', 'Days of notices for newcomers'], 30, [
    '后加入接收范围的人会收到最近多少天内发布的通知',
    'Who joins an audience is told what was released in the last days',
  ]),
  count('sms.keepDays', ['短信记录保留天数', 'Days of messages sent'], 180, ['至少 7 天', 'Seven at least']),
  count('log.apiKeepDays', ['接口日志保留天数', 'Days of API logs'], 180, ['至少 7 天', 'Seven at least']),
  count('log.errorKeepDays', ['错误日志保留天数', 'Days of error logs'], 180, ['至少 7 天', 'Seven at least']),
  count('log.usualKeepDays', ['通用日志保留天数', 'Days of usual logs'], 180, ['至少 7 天', 'Seven at least']),
];

export const Param = entity(
  'param',
  {
    id: Id(),
    paramName: Text({ title: ['参数名称', 'Parameter name'], maxLength: 64, search: true, sort: true }),
    paramKey: Text({ title: ['参数键名', 'Parameter key'], maxLength: 64, search: true, sort: true, known: knownParams, names: 'paramName' }),
    paramValue: LongText({
      title: ['参数键值', 'Parameter value'],
      enteredBy: [
        ...knownParams.flatMap(({ value, options }) => (options ? [{ when: { field: 'paramKey', is: value }, widget: 'choice' as const, options }] : [])),
        { when: { field: 'paramKey', is: knownParams.filter(({ form }) => form).map(({ value }) => value) }, widget: 'text' },
      ],
    }),
    remark: Optional(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);

export const param = crud('/api/blade-system/param', Param);

export const ParamSaved = event<{ paramKey: string }>('settings:param-saved');

export const paramProblems = {
  wrongValue: problem(400, ['参数键值不符合要求：{help}', 'This parameter does not take that value: {help}']),
};

const clientPath = '/api/blade-system/client';
const seconds = ['秒', 's'] as const;

/** A program that signs people in: the console, another front end, a partner's system. Its secret is kept as a hash alone. */
export const Client = entity(
  'client',
  {
    id: Id(),
    clientId: Text({ title: ['应用标识', 'Client id'], maxLength: 64, pattern: '^[\\w.-]+$', search: true, sort: true, copyable: true }),
    authorizedGrantTypes: Several(
      Choice({
        title: ['授权类型', 'Grant types'],
        width: 260,
        options: [
          ['captcha', ['验证码', 'Captcha']],
          ['password', ['密码', 'Password']],
          ['refresh_token', ['刷新令牌', 'Refresh token']],
          ['authorization_code', ['授权码', 'Authorization code']],
          ['social', ['第三方登录', 'Sign-in provider']],
          ['sms_code', ['短信验证码', 'Text message']],
          ['register', ['注册', 'Registration']],
        ],
      }),
      { comma: true },
    ),
    isPublic: Flag({
      title: ['公开客户端', 'Public client'],
      help: [
        '无法保密的程序，例如浏览器：不验证密钥，也不能使用密码授权',
        'A program that can keep no secret, a browser: it needs none, and may not use the password grant',
      ],
    }),
    webServerRedirectUri: Optional(
      LongText({
        title: ['回调地址', 'Redirect addresses'],
        maxLength: 2000,
        list: false,
        help: ['授权码只发往这些地址，须完全一致；多个以逗号分隔', 'Codes are sent to these alone, to the letter; separate several with commas'],
      }),
    ),
    autoapprove: Flag({ title: ['自动授权', 'Trusted'], list: false, help: ['不再询问用户是否同意', 'Users are not asked for consent'] }),
    accessTokenValidity: Whole({ title: ['令牌有效期', 'Access token lifetime'], unit: seconds, minimum: 60, maximum: 86_400, default: 3600 }),
    refreshTokenValidity: Whole({ title: ['刷新令牌有效期', 'Refresh token lifetime'], unit: seconds, minimum: 300, maximum: 31_536_000, default: 604_800 }),
    scope: Text({ title: ['授权范围', 'Scope'], list: false, form: false }),
    resourceIds: Optional(Text({ title: ['资源集合', 'Resources'], list: false })),
    authorities: Optional(Text({ title: ['权限', 'Authorities'], list: false })),
    additionalInformation: Optional(LongText({ title: ['附加说明', 'Additional information'], maxLength: 4096, list: false })),
  },
  { owner: 'platform' },
);

const secretText = Unsafe<string>({ type: 'string' });
/** The row, with the secret where one has just been made; told this once. */
const SavedClient = Shape({ ...Client.row.properties, clientSecret: Omissible(secretText) });
const clientCalls = crud(clientPath, Client);

export const client = {
  ...clientCalls,
  submit: post(clientCalls.submit.path, {
    title: ['新增或修改应用', 'Add or update a client'],
    who: clientCalls.submit.who,
    input: Client.form,
    reply: SavedClient,
  }),
  /** The old secret is worth nothing from then on. */
  rotate: post(`${clientPath}/reset-secret`, {
    title: ['重置密钥', 'New secret'],
    who: { code: 'client_secret' },
    input: Shape({ id: Id() }),
    reply: Shape({ clientId: secretText, clientSecret: secretText }),
  }),
};

export const clientProblems = {
  ownConsole: problem(409, ['这会使控制台无法登录', 'Nobody could sign in to this console any more.']),
  wrongAddress: problem(400, ['回调地址须为完整的 http(s) 地址，且不含 # 与 *', 'A redirect address is a whole http(s) address without # or *.']),
};

/** What only the console says of clients. */
export const clientWords = {
  secret: ['应用密钥', 'Client secret'],
  clientId: ['应用标识', 'Client id'],
  made: ['应用密钥已生成', 'The client’s secret'],
  rotate: ['重置密钥', 'New secret'],
  question: ['确定重置 {name} 的密钥？旧密钥将立即失效。', 'Give {name} a new secret? The old one stops working at once.'],
  cancel: ['取消', 'Cancel'],
} as const satisfies Record<string, Words>;
