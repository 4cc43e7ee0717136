import { EgressRefused, Refusal } from '#server';
import { problem } from '#shared/errors';
import { say, type Words } from '#shared/text';

/** What is wrong with a data source, by what it or the way to it says. */
const reachWords = {
  private: ['地址指向内网，部署未放行（EGRESS_ALLOW）', 'The address leads inside, and the deployment does not allow it (EGRESS_ALLOW)'],
  noHost: ['找不到主机，请检查主机名', 'There is no such host. Check its name'],
  noAnswer: ['主机没有响应，请检查地址、端口与防火墙', 'The host does not answer. Check address, port and firewall'],
  tooLong: ['数据库在 {seconds} 秒内没有答复', 'The database did not answer within {seconds} seconds'],
  tooMuch: ['数据库的答复过大', 'The database answered at too great a length'],
  login: ['用户名或密码不正确，或该用户不允许从此处登录', 'User or password is wrong, or this user may not sign in from here'],
  noDatabase: ['数据库不存在，或该用户无权使用', 'There is no such database, or this user may not use it'],
  certificate: ['证书不受信任', 'Its certificate is not trusted'],
  noTls: ['数据库不支持加密连接', 'The database does not offer TLS'],
  other: ['数据库答复：{reason}', 'The database says: {reason}'],
} as const satisfies Record<string, Words>;

/** The database has not answered within our patience. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** The database answers more than any catalogue holds. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch';
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

/** What is wrong with a data source, by what it or the way to it says: for whoever has set it up. */
export function reasonOf(error: unknown, patience: number): Words {
  if (error instanceof EgressRefused) return reachWords.private;
  if (error instanceof TooMuch) return reachWords.tooMuch;
  if (error instanceof TooLong) return filled(reachWords.tooLong, { seconds: patience });
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return reachWords.certificate;
  if (message.includes('does not support SSL')) return reachWords.noTls;
  const known = codes[code];
  // What a driver says may name addresses and files: the code alone is told of what we do not know.
  return known ?? filled(reachWords.other, { reason: /^\w{1,64}$/.test(code) ? code : 'ERROR' });
}

/** The same as the answer to a call that needed the data source. */
export const refusalOf = (error: unknown, patience: number): Refusal =>
  error instanceof Refusal ? error : new Refusal(problem(400, reasonOf(error, patience)), {}, { cause: error });

const filled = (words: Words, values: Record<string, string | number>): Words => [say(words, 'zh', values), say(words, 'en', values)];
