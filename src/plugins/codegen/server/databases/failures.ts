import { EgressError, Refusal } from '#server';
import { problem } from '#shared/errors';
import { say, type Words } from '#shared/text';

/** Messages for connection errors of a data source. */
const reachWords = {
  private: ['地址指向内网，部署未放行（EGRESS_ALLOW）', 'The address is on a private network, which the deployment does not allow (EGRESS_ALLOW)'],
  noHost: ['找不到主机，请检查主机名', 'Host not found. Check the host name'],
  noAnswer: ['主机没有响应，请检查地址、端口与防火墙', 'The host did not respond. Check the address, port and firewall'],
  tooLong: ['数据库在 {seconds} 秒内没有响应', 'The database did not respond within {seconds} seconds'],
  tooMuch: ['数据库返回的内容过大', 'The database response is too large'],
  login: ['用户名或密码不正确，或该用户不允许从此处登录', 'Incorrect user or password, or this user cannot sign in from here'],
  noDatabase: ['数据库不存在，或该用户无权使用', 'Database not found, or this user cannot access it'],
  certificate: ['证书不受信任', 'The certificate is not trusted'],
  noTls: ['数据库不支持加密连接', 'The database does not support TLS'],
  other: ['数据库返回：{reason}', 'The database returned: {reason}'],
} as const satisfies Record<string, Words>;

/** The database has not responded within the time-out. */
export class CatalogueTimeoutError extends Error {
  override readonly name = 'CatalogueTimeoutError';
}

/** The database has sent more than a catalogue can contain. */
export class CatalogueTooLargeError extends Error {
  override readonly name = 'CatalogueTooLargeError';
}

const codes: Readonly<Record<string, Words>> = {
  ENOTFOUND: reachWords.noHost,
  EAI_AGAIN: reachWords.noHost,
  ECONNREFUSED: reachWords.noAnswer,
  ECONNRESET: reachWords.noAnswer,
  EHOSTUNREACH: reachWords.noAnswer,
  ENETUNREACH: reachWords.noAnswer,
  ETIMEDOUT: reachWords.noAnswer,
  PROTOCOL_CONNECTION_LOST: reachWords.noAnswer,
  ER_ACCESS_DENIED_ERROR: reachWords.login,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: reachWords.login,
  ER_ACCOUNT_HAS_BEEN_LOCKED: reachWords.login,
  ER_HOST_NOT_PRIVILEGED: reachWords.login,
  '28000': reachWords.login,
  '28P01': reachWords.login,
  ER_BAD_DB_ERROR: reachWords.noDatabase,
  ER_DBACCESS_DENIED_ERROR: reachWords.noDatabase,
  '3D000': reachWords.noDatabase,
  HANDSHAKE_NO_SSL_SUPPORT: reachWords.noTls,
};

/** Explains an error of a data source or its connection, for the user who configures it. */
export function reasonOf(error: unknown, timeoutSeconds: number): Words {
  if (error instanceof EgressError) return reachWords.private;
  if (error instanceof CatalogueTooLargeError) return reachWords.tooMuch;
  if (error instanceof CatalogueTimeoutError) return filled(reachWords.tooLong, { seconds: timeoutSeconds });
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return reachWords.certificate;
  if (message.includes('does not support SSL')) return reachWords.noTls;
  const known = codes[code];
  // Driver messages can contain addresses and files, so only the code of unknown errors is shown.
  return known ?? filled(reachWords.other, { reason: /^\w{1,64}$/.test(code) ? code : 'ERROR' });
}

/** Converts such an error to the refusal of a call that needed the data source. */
export const refusalOf = (error: unknown, timeoutSeconds: number): Refusal =>
  error instanceof Refusal ? error : new Refusal(problem(400, reasonOf(error, timeoutSeconds)), {}, { cause: error });

const filled = (words: Words, values: Record<string, string | number>): Words => [say(words, 'zh', values), say(words, 'en', values)];
