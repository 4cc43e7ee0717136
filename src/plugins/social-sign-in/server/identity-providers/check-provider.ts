import { EgressError, HttpTimeoutError, type ServerContext } from '#server';
import type { LocalizedText } from '#shared/text';
import { providerKinds } from '../../provider-contract.ts';
import { Directory } from './directory.ts';
import type { Issuers } from './issuers.ts';
import type { StoredProvider } from './stored-providers.ts';

/** Services that a check uses. */
export interface CheckDeps {
  readonly context: Pick<ServerContext, 'egress'>;
  readonly issuers: Issuers;
}

interface CheckReport {
  readonly isReady: boolean;
  readonly message: LocalizedText;
}

const ready = {
  oidc: ['已读取签发者的配置', 'The configuration of the issuer was read.'],
  ldap: ['已连接目录并找到用户', 'Connected to the directory and found users.'],
} as const;
const noUsers: LocalizedText = [
  '已连接目录，但没有用户匹配：请检查搜索起点和用户过滤器',
  'Connected, but no user matches. Check the base DN and the user filter.',
];

/** Reasons by the name or code of the error that a connection, an issuer or a directory has caused. */
const reasons: Readonly<Record<string, LocalizedText>> = {
  ENOTFOUND: ['找不到服务器，请检查地址', 'The server was not found. Check the address.'],
  EAI_AGAIN: ['暂时无法解析服务器名称', 'The name of the server cannot be resolved at the moment.'],
  ECONNREFUSED: ['连接被拒绝，请检查地址和端口', 'The connection was refused. Check the address and the port.'],
  ECONNRESET: ['连接中断，请检查地址和端口', 'The connection was lost. Check the address and the port.'],
  ETIMEDOUT: ['服务器没有响应', 'The server does not respond.'],
  InvalidCredentialsError: ['目录不接受绑定账号或密码', 'The directory does not accept the bind DN or its password.'],
  InvalidDNSyntaxError: ['绑定账号或搜索起点不是有效的 DN', 'The bind DN or the base DN is not a valid DN.'],
  NoSuchObjectError: ['目录中没有该搜索起点', 'The directory does not contain the base DN.'],
  InsufficientAccessError: ['绑定账号无权搜索用户', 'The bind DN may not search for users.'],
  ConfidentialityRequiredError: ['目录要求加密连接', 'The directory requires an encrypted connection.'],
  StrongAuthRequiredError: ['目录要求加密连接', 'The directory requires an encrypted connection.'],
  ProtocolError: ['目录不支持 StartTLS', 'The directory does not support StartTLS.'],
};
const internal: LocalizedText = [
  '不允许访问内部地址，可由部署人员用 EGRESS_ALLOW 放行',
  'Internal addresses are not allowed unless the deployment lists them in EGRESS_ALLOW.',
];
const timeout: LocalizedText = ['服务器没有在 5 秒内响应', 'The server did not respond within 5 seconds.'];
const certificate: LocalizedText = [
  '无法验证服务器证书：请填写 CA 证书，并检查主机名',
  'The certificate cannot be verified. Enter the CA certificate and check the host name.',
];

/** Connects to a provider and reads what sign-in needs. */
export async function checkProvider({ context, issuers }: CheckDeps, provider: StoredProvider): Promise<CheckReport> {
  try {
    if (provider.kind === providerKinds.oidc) {
      await issuers.of(provider).check();
      return { isReady: true, message: ready.oidc };
    }
    const hasUsers = await new Directory(provider, context.egress).check();
    return hasUsers ? { isReady: true, message: ready.ldap } : { isReady: false, message: noUsers };
  } catch (error) {
    return { isReady: false, message: reasonOf(error) };
  }
}

/** Describes the innermost cause that is known; otherwise quotes the last one. */
function reasonOf(error: unknown): LocalizedText {
  let text = '';
  for (let current = error; current instanceof Error; current = current.cause) {
    const { name, message, code = '' } = current as NodeJS.ErrnoException;
    if (current instanceof EgressError) return internal;
    if (current instanceof HttpTimeoutError) return timeout;
    const known = reasons[code] ?? reasons[name];
    if (known) return known;
    if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code)) return certificate;
    text = message;
  }
  return [`无法读取：${text.slice(0, 200)}`, `It could not be read: ${text.slice(0, 200)}`];
}
