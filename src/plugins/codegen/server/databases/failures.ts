import { EgressRefused, Refusal } from '#server';
import { problem } from '#shared/errors';
import { say, type Words } from '#shared/text';
import { reachWords } from '../../contract.ts';

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
