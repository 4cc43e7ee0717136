import { ApiError, EgressError } from '#server';
import { problem } from '#shared/errors';
import { type LocalizedText, localize } from '#shared/text';

/** Messages for connection errors of a data source. */
const connectionMessages = {
  private: ['地址指向内网，部署未放行（EGRESS_ALLOW）', 'The address is on a private network, which the deployment does not allow (EGRESS_ALLOW)'],
  noHost: ['找不到主机，请检查主机名', 'Host not found. Check the host name'],
  noResponse: ['主机没有响应，请检查地址、端口与防火墙', 'The host did not respond. Check the address, port and firewall'],
  timeout: ['数据库在 {seconds} 秒内没有响应', 'The database did not respond within {seconds} seconds'],
  tooLarge: ['数据库返回的内容过大', 'The database response is too large'],
  login: ['用户名或密码不正确，或该用户不允许从此处登录', 'Incorrect username or password, or this user cannot sign in from here'],
  noDatabase: ['数据库不存在，或该用户无权使用', 'Database not found, or this user cannot access it'],
  certificate: ['证书不受信任', 'The certificate is not trusted'],
  noTls: ['数据库不支持加密连接', 'The database does not support TLS'],
  other: ['数据库返回：{reason}', 'The database returned: {reason}'],
} as const satisfies Record<string, LocalizedText>;

/** Thrown when the database does not respond in time. */
export class CatalogueTimeoutError extends Error {
  override readonly name = 'CatalogueTimeoutError';
}

/** Thrown when the database sends more than a catalogue can contain. */
export class CatalogueTooLargeError extends Error {
  override readonly name = 'CatalogueTooLargeError';
}

const codes: Readonly<Record<string, LocalizedText>> = {
  ENOTFOUND: connectionMessages.noHost,
  EAI_AGAIN: connectionMessages.noHost,
  ECONNREFUSED: connectionMessages.noResponse,
  ECONNRESET: connectionMessages.noResponse,
  EHOSTUNREACH: connectionMessages.noResponse,
  ENETUNREACH: connectionMessages.noResponse,
  ETIMEDOUT: connectionMessages.noResponse,
  PROTOCOL_CONNECTION_LOST: connectionMessages.noResponse,
  ER_ACCESS_DENIED_ERROR: connectionMessages.login,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: connectionMessages.login,
  ER_ACCOUNT_HAS_BEEN_LOCKED: connectionMessages.login,
  ER_HOST_NOT_PRIVILEGED: connectionMessages.login,
  '28000': connectionMessages.login,
  '28P01': connectionMessages.login,
  ER_BAD_DB_ERROR: connectionMessages.noDatabase,
  ER_DBACCESS_DENIED_ERROR: connectionMessages.noDatabase,
  '3D000': connectionMessages.noDatabase,
  HANDSHAKE_NO_SSL_SUPPORT: connectionMessages.noTls,
};

/** Explains an error of a data source or its connection, for the user who configures it. */
export function reasonOf(error: unknown, timeoutSeconds: number): LocalizedText {
  if (error instanceof EgressError) return connectionMessages.private;
  if (error instanceof CatalogueTooLargeError) return connectionMessages.tooLarge;
  if (error instanceof CatalogueTimeoutError) return interpolate(connectionMessages.timeout, { seconds: timeoutSeconds });
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return connectionMessages.certificate;
  if (message.includes('does not support SSL')) return connectionMessages.noTls;
  const reason = codes[code];
  // Driver messages can contain addresses and files, so only the code of unknown errors is shown.
  return reason ?? interpolate(connectionMessages.other, { reason: /^\w{1,64}$/.test(code) ? code : 'ERROR' });
}

/** Converts an error of a data source to the error of the call that needed it. */
export const apiErrorOf = (error: unknown, timeoutSeconds: number): ApiError =>
  error instanceof ApiError ? error : new ApiError(problem(400, reasonOf(error, timeoutSeconds)), {}, { cause: error });

const interpolate = (text: LocalizedText, values: Record<string, string | number>): LocalizedText => [
  localize(text, 'zh', values),
  localize(text, 'en', values),
];
