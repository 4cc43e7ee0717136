import * as Type from 'typebox';
import { crud, entity, post, withFreshProof } from '#shared/contract';
import { problem } from '#shared/errors';
import { Flag, Id, Integer, LongText, MultiSelect, Nullable, Secret, Select, Text } from '#shared/fields';
import type { LocalizedText } from '#shared/text';

const clientPath = '/api/blade-system/client';
const seconds = ['秒', 's'] as const;

/** Application that signs users in: the console, another front end or a partner's system. Only a hash of its secret is stored. */
export const Client = entity(
  'client',
  {
    id: Id(),
    clientId: Text({ title: ['应用标识', 'Client ID'], maxLength: 64, pattern: '^[\\w.-]+$', search: true, sort: true, copyable: true }),
    authorizedGrantTypes: MultiSelect(
      Select({
        title: ['授权类型', 'Grant types'],
        width: 260,
        options: [
          ['captcha', ['验证码', 'Captcha']],
          ['password', ['密码', 'Password']],
          ['refresh_token', ['刷新令牌', 'Refresh token']],
          ['authorization_code', ['授权码', 'Authorization code']],
          ['social', ['第三方登录', 'Sign-in provider']],
          ['sms_code', ['短信验证码', 'Text message code']],
          ['register', ['注册', 'Registration']],
          ['passkey', ['通行密钥', 'Passkey']],
          ['ldap', ['LDAP 目录', 'LDAP directory']],
        ],
      }),
      { comma: true },
    ),
    isPublic: Flag({
      title: ['公开应用', 'Public client'],
      help: [
        '无法保密的程序，例如浏览器：不验证密钥，也不能使用密码授权',
        'For clients that cannot keep a secret, such as browsers. No secret is required, and the password grant is not allowed',
      ],
    }),
    webServerRedirectUri: Nullable(
      LongText({
        title: ['回调地址', 'Redirect addresses'],
        maxLength: 2000,
        list: false,
        help: ['授权码只发往这些地址，须完全一致；多个以逗号分隔', 'Authorization codes are only sent to these exact addresses. Separate several with commas'],
      }),
    ),
    autoapprove: Flag({ title: ['自动授权', 'Auto-approve'], list: false, help: ['不再询问用户是否同意', 'Users are not asked for consent'] }),
    compatibility: Select({
      title: ['接口兼容', 'API compatibility'],
      list: false,
      default: 'none',
      options: [
        ['none', ['无', 'None']],
        ['bladex', ['BladeX', 'BladeX']],
      ],
      help: [
        '接入 BladeX 前端（Saber、Sword）时选择：空值、显示名称与查询方式按 BladeX 返回',
        'Select for BladeX consoles (Saber, Sword). Empty values, display names and filters work as in BladeX.',
      ],
    }),
    accessTokenValidity: Integer({ title: ['令牌有效期', 'Access token lifetime'], unit: seconds, minimum: 60, maximum: 86_400, default: 3600 }),
    refreshTokenValidity: Integer({ title: ['刷新令牌有效期', 'Refresh token lifetime'], unit: seconds, minimum: 300, maximum: 31_536_000, default: 604_800 }),
    scope: Text({ title: ['授权范围', 'Scope'], list: false, form: false }),
    resourceIds: Nullable(Text({ title: ['资源集合', 'Resources'], list: false })),
    authorities: Nullable(Text({ title: ['权限', 'Authorities'], list: false })),
    additionalInformation: Nullable(LongText({ title: ['附加说明', 'Additional information'], maxLength: 4096, list: false })),
  },
  { owner: 'platform' },
);

const secretText = Type.Unsafe<string>({ type: 'string' });
/** The saved row, with the secret when it was just generated; the secret is returned only once. */
const SavedClient = Type.Object({ ...Client.row.properties, clientSecret: Type.Optional(secretText) });
/** A client can bring its own secret; otherwise one is generated. */
const ClientForm = Type.Object(
  {
    ...Client.form.properties,
    clientSecret: Nullable(Secret({ title: ['应用密钥', 'Client secret'], maxLength: 128, form: false })),
  },
  { additionalProperties: false },
);
const clientCalls = withFreshProof(crud(clientPath, Client), 'submit', 'bulkSubmit', 'remove', 'import');

export const client = {
  ...clientCalls,
  submit: post(clientCalls.submit.path, {
    title: ['新增或修改应用', 'Add or update a client'],
    access: clientCalls.submit.access,
    proof: 'fresh',
    input: ClientForm,
    reply: SavedClient,
  }),
  /** Invalidates the old secret at once. */
  rotate: post(`${clientPath}/reset-secret`, {
    title: ['重置密钥', 'Reset secret'],
    access: { code: 'client_secret' },
    proof: 'fresh',
    input: Type.Object({ id: Id() }),
    reply: Type.Object({ clientId: secretText, clientSecret: secretText }),
  }),
};

export const clientProblems = {
  breaksConsole: problem(409, ['这会使控制台无法登录', 'This change would prevent signing in to the console.']),
  consoleCompatibility: problem(409, ['控制台自身的应用不能使用兼容模式', 'The console’s own client cannot use a compatibility mode.']),
  weakSecret: problem(400, [
    '应用密钥至少 12 个字符，只能包含可见的英文字符，且不能过于常见或有规律',
    'The client secret must have at least 12 visible ASCII characters and cannot be common or follow a pattern.',
  ]),
  invalidRedirectUri: problem(400, ['回调地址须为完整的 http(s) 地址，且不能包含 # 与 *', 'A redirect address must be a full http(s) URL without # or *.']),
};

/** Texts only the console uses. */
export const clientMessages = {
  secret: ['应用密钥', 'Client secret'],
  clientId: ['应用标识', 'Client ID'],
  created: ['应用密钥已生成', 'Client secret created'],
  rotate: ['重置密钥', 'Reset secret'],
  question: ['确定重置 {name} 的密钥？旧密钥将立即失效。', 'Reset the secret of {name}? The old secret stops working immediately.'],
} as const satisfies Record<string, LocalizedText>;
