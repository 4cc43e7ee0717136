import * as Type from 'typebox';
import { ById, crud, entity, get, post, type RowOf, withFreshProof, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, Flag, Id, LongText, Nullable, Secret, Select, Text, Url } from '#shared/fields';
import { providerMenu } from './menus.ts';

const path = '/api/blade-system/identity-provider';

/** Values of `kind`. */
export const providerKinds = { oidc: 'oidc', ldap: 'ldap' } as const;

const connection = ['连接', 'Connection'] as const;
const people = ['用户', 'People'] as const;
const accounts = ['账号', 'Accounts'] as const;
const isOidc = { field: 'kind', is: providerKinds.oidc } as const;
const isLdap = { field: 'kind', is: providerKinds.ldap } as const;
const oidcOnly = { visible: isOidc, requiredWhen: isOidc, group: connection } as const;
const ldapOnly = { visible: isLdap, requiredWhen: isLdap, group: connection } as const;
const attribute = { maxLength: 64, pattern: '^[A-Za-z][\\w;.-]*$', list: false, visible: isLdap, group: people, advanced: true } as const;

/** Identity provider of a tenant: an OpenID Connect issuer or an LDAP directory. Its secrets are encrypted. */
export const IdentityProvider = entity(
  'identity_provider',
  {
    id: Id(),
    name: Text({
      title: ['名称', 'Name'],
      maxLength: 32,
      search: true,
      help: ['显示在登录页的按钮上', 'Shown on its button on the sign-in page'],
      placeholder: ['公司账号', 'Company account'],
    }),
    kind: Select({
      title: ['类型', 'Type'],
      options: [
        [providerKinds.oidc, ['OpenID Connect', 'OpenID Connect']],
        [providerKinds.ldap, ['LDAP 目录', 'LDAP directory']],
      ],
      default: providerKinds.oidc,
      immutable: true,
      search: true,
    }),
    isEnabled: Flag({
      title: ['启用', 'Enabled'],
      default: true,
      search: true,
      help: ['停用后其会话在一分钟内结束', 'Its sessions end within a minute after it is disabled'],
    }),
    issuer: Nullable(
      Url({
        title: ['签发者地址', 'Issuer'],
        immutable: true,
        width: 260,
        help: ['其下须有 /.well-known/openid-configuration；保存后不能修改', 'Must serve /.well-known/openid-configuration. Cannot be changed later'],
        placeholder: ['https://login.company.cn', 'https://login.company.com'],
        ...oidcOnly,
      }),
    ),
    clientId: Nullable(Text({ title: ['应用标识', 'Client ID'], copyable: true, list: false, ...oidcOnly })),
    clientSecret: Nullable(
      Secret({ title: ['应用密钥', 'Client secret'], visible: isOidc, group: connection, help: ['公开应用留空', 'Leave empty for a public client'] }),
    ),
    scopes: Nullable(
      Text({
        title: ['授权范围', 'Scopes'],
        pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
        list: false,
        visible: isOidc,
        group: people,
        placeholder: ['openid profile email', 'openid profile email'],
        help: [
          '默认 openid profile email；加 offline_access 后可每半分钟向签发者确认会话',
          'Defaults to openid profile email. With offline_access, the issuer confirms each session twice a minute',
        ],
      }),
    ),
    groupsClaim: Nullable(
      Text({ title: ['群组声明', 'Groups claim'], maxLength: 64, list: false, visible: isOidc, group: people, placeholder: ['groups', 'groups'] }),
    ),
    address: Nullable(
      Text({
        title: ['目录地址', 'Directory address'],
        pattern: '^ldaps?://[^\\s/@?#]+/?$',
        width: 260,
        placeholder: ['ldaps://ldap.company.cn', 'ldaps://ldap.company.com'],
        help: ['ldaps:// 或 ldap:// 加 StartTLS', 'ldaps://, or ldap:// with StartTLS'],
        ...ldapOnly,
      }),
    ),
    startTls: Flag({
      title: ['StartTLS', 'StartTLS'],
      default: true,
      list: false,
      visible: isLdap,
      group: connection,
      help: ['用于 ldap:// 地址', 'For ldap:// addresses'],
    }),
    caCertificate: Nullable(
      LongText({
        title: ['CA 证书', 'CA certificate'],
        maxLength: 20_000,
        list: false,
        visible: isLdap,
        group: connection,
        help: ['服务器使用自签名或内部 CA 时填写（PEM）', 'For a self-signed certificate or an internal CA, in PEM'],
      }),
    ),
    bindDn: Nullable(
      Text({
        title: ['绑定账号', 'Bind DN'],
        maxLength: 500,
        list: false,
        placeholder: ['cn=console,dc=company,dc=cn', 'cn=console,dc=company,dc=com'],
        help: ['只需读取权限', 'Read access is enough'],
        ...ldapOnly,
      }),
    ),
    bindPassword: Nullable(
      Secret({ title: ['绑定密码', 'Bind password'], visible: isLdap, requiredWhen: { all: [isLdap, { field: 'id', filled: false }] }, group: connection }),
    ),
    baseDn: Nullable(
      Text({
        title: ['搜索起点', 'Base DN'],
        maxLength: 500,
        list: false,
        visible: isLdap,
        requiredWhen: isLdap,
        group: people,
        placeholder: ['ou=people,dc=company,dc=cn', 'ou=people,dc=company,dc=com'],
      }),
    ),
    userFilter: Nullable(
      Text({
        title: ['用户过滤器', 'User filter'],
        maxLength: 500,
        list: false,
        visible: isLdap,
        group: people,
        placeholder: ['(uid={account})', '(uid={account})'],
        help: ['{account} 为输入的账号；不再匹配的用户视为已离开', '{account} is what the user types. Users who no longer match have left'],
      }),
    ),
    groupAttribute: Nullable(Text({ ...attribute, advanced: false, title: ['群组属性', 'Group attribute'], placeholder: ['memberOf', 'memberOf'] })),
    groupBaseDn: Nullable(
      Text({
        title: ['群组搜索起点', 'Group base DN'],
        maxLength: 500,
        list: false,
        visible: isLdap,
        group: people,
        help: ['留空则只读取群组属性', 'Leave empty to read the attribute only'],
      }),
    ),
    groupFilter: Nullable(
      Text({
        title: ['群组过滤器', 'Group filter'],
        maxLength: 500,
        list: false,
        visible: { all: [isLdap, { field: 'groupBaseDn', filled: true }] },
        group: people,
        placeholder: ['(member={dn})', '(member={dn})'],
        help: ['{dn} 为用户的 DN，{account} 为其账号', '{dn} is the DN of the user, {account} the account'],
      }),
    ),
    idAttribute: Nullable(
      Text({
        ...attribute,
        title: ['标识属性', 'ID attribute'],
        placeholder: ['entryUUID', 'entryUUID'],
        help: ['永不改变；AD 填 objectGUID', 'Must never change. Use objectGUID for Active Directory'],
      }),
    ),
    accountAttribute: Nullable(Text({ ...attribute, title: ['账号属性', 'Account attribute'], placeholder: ['uid', 'uid'] })),
    nameAttribute: Nullable(Text({ ...attribute, title: ['姓名属性', 'Name attribute'], placeholder: ['cn', 'cn'] })),
    emailAttribute: Nullable(Text({ ...attribute, title: ['邮箱属性', 'E-mail attribute'], placeholder: ['mail', 'mail'] })),
    matchesEmail: Flag({
      title: ['按邮箱匹配账号', 'Match accounts by e-mail'],
      list: false,
      group: accounts,
      help: ['首次登录时关联邮箱相同的账号；仅限已验证的邮箱', 'The first sign-in links the account that has the same e-mail, if the provider has verified it'],
    }),
    createsAccounts: Flag({
      title: ['自动创建账号', 'Create accounts'],
      list: false,
      group: accounts,
      help: ['首次登录且至少一个群组对应角色时', 'At the first sign-in of users with at least one mapped group'],
    }),
    unreachableSince: Nullable(DateTime({ title: ['无响应自', 'Unreachable since'], form: false, list: false })),
  },
  { archivable: false },
);
export type IdentityProviderRow = RowOf<typeof IdentityProvider>;

// Each provider has secrets of its own.
const providerCalls = withFreshProof(withoutCalls(crud(path, IdentityProvider, { menu: providerMenu.code }), 'export', 'import', 'bulkSubmit'), 'submit');

/** Result of a check of a provider. */
const CheckResult = Type.Object({
  isReady: Type.Boolean(),
  /** Sentence for the user about what was found or what is wrong. */
  message: Type.String(),
});

export const identityProvider = {
  ...providerCalls,
  /** Connects to the provider and reads what sign-in needs. */
  check: post(`${path}/check`, {
    title: ['检测身份源', 'Check an identity provider'],
    access: { code: 'identity_provider_check' },
    input: ById,
    reply: CheckResult,
  }),
  /** Returns the addresses that an OpenID Connect issuer must know. */
  addresses: get(`${path}/addresses`, {
    title: ['登记地址', 'Addresses to register'],
    access: { code: providerMenu.code },
    input: ById,
    reply: Type.Object({ redirect: Type.String(), backChannelLogout: Type.String() }),
  }),
};

export const providerProblems = {
  notHttps: problem(400, ['签发者地址须以 https:// 开头', 'The issuer must begin with https://.']),
  credentials: problem(400, ['地址不能包含用户名、密码、参数或片段', 'The address cannot contain a username, a password, parameters or a fragment.']),
  internal: problem(400, [
    '不允许访问内部地址，可由部署人员用 EGRESS_ALLOW 放行',
    'Internal addresses are not allowed unless the deployment lists them in EGRESS_ALLOW.',
  ]),
  addressInvalid: problem(400, ['目录地址无效', 'The directory address is not valid.']),
  notEncrypted: problem(400, ['ldap:// 地址须启用 StartTLS', 'An ldap:// address requires StartTLS.']),
  certificate: problem(400, ['CA 证书不是有效的 PEM 证书', 'The CA certificate is not a valid PEM certificate.']),
  passwordAgain: problem(400, ['修改地址或绑定账号后须重新输入绑定密码', 'Enter the bind password again after changing the address or the bind DN.']),
  filter: problem(400, ['过滤器无效：{reason}', 'The filter is not valid: {reason}']),
  noAccountPlaceholder: problem(400, ['过滤器须包含 {account}', 'The filter must contain {account}.']),
  noOpenid: problem(400, ['授权范围须包含 openid', 'The scopes must contain openid.']),
  noPublicUrl: problem(409, ['部署未设置 PUBLIC_URL，无法使用 OpenID Connect', 'OpenID Connect requires PUBLIC_URL, which this deployment has not set.']),
  beyondOwn: problem(403, [
    '该身份源可授予的角色或可登录的账号超出您的权限，请由权限更高的管理员操作',
    'This provider grants roles, or signs users in to accounts, with more permissions than you have. Ask an administrator who has these permissions.',
  ]),
  roleNotGrantable: problem(403, ['不能授予该角色', 'You cannot grant this role.']),
  tooMany: problem(409, ['每个租户最多 20 个身份源', 'A tenant can have at most 20 identity providers.']),
  accountTaken: problem(409, ['账号 {account} 已存在，请联系管理员关联', 'The account {account} already exists here. Ask an administrator to link it.']),
  logoutRefused: problem(400, ['登出令牌无效', 'The logout token is not valid.']),
};
