import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { signInProblems } from '#shared/auth-problems';
import { Refusal } from '#shared/errors';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';

/** A program that signs people in: which grants it may use and how long its tokens live. */
export interface Client {
  readonly clientId: string;
  readonly grants: readonly string[];
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  /** True: it has shown its secret. */
  readonly proven: boolean;
}

interface ClientRow {
  secret_hash: string;
  is_public: boolean;
  grants: string[];
  access_token_validity: number;
  refresh_token_validity: number;
}

/** The form in which client secrets are stored. */
export const secretHash = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** What a public client may do without its secret. */
const publicGrants = ['captcha', 'refresh_token', 'sms_code', 'social', 'authorization_code', 'register'];

/** A client's id and secret as OAuth programs without a Basic header send them, in the body. */
export interface PostedClient {
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** The client a Basic header proves, or the body where there is no header. Without a secret a public client is left with the grants that need none; a wrong secret is refused. */
export async function provenClient(db: Database, authorization: string, posted: PostedClient = {}): Promise<Client> {
  const { id, secret } = authorization === '' ? { id: posted.client_id ?? '', secret: posted.client_secret ?? '' } : credentialsOf(authorization);
  const row = id === '' ? undefined : await findClient(db, id);
  if (!row) throw new Refusal(signInProblems.unknownClient);
  const proven = isSecret(secret, row) || isSecret(formDecoded(secret), row);
  if (!proven && !(row.is_public && secret === '')) throw new Refusal(signInProblems.unknownClient);
  const { grants } = row;
  return {
    clientId: id,
    grants: proven ? grants : grants.filter((grant) => publicGrants.includes(grant)),
    accessSeconds: row.access_token_validity,
    refreshSeconds: row.refresh_token_validity,
    proven,
  };
}

const isSecret = (secret: string, { secret_hash }: ClientRow) =>
  secret !== '' && secret_hash !== '' && timingSafeEqual(Buffer.from(secretHash(secret)), Buffer.from(secret_hash));

/** RFC 6749 §2.3.1 has secrets written as in a form; the family writes them as they are. Both are tried. */
function formDecoded(secret: string): string {
  return new URLSearchParams(`secret=${secret.replaceAll('&', '%26')}`).get('secret') ?? '';
}

function credentialsOf(authorization: string): { id: string; secret: string } {
  const encoded = /^basic\s+([\w+/=-]+)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return { id: '', secret: '' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? { id: '', secret: '' } : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

async function findClient(db: Database, id: string): Promise<ClientRow | undefined> {
  if (id.length > 64 || id.includes('\0')) return undefined;
  const [row] = await db.asPlatform('a client is known before its tenant is', () =>
    rowsOf<ClientRow>(
      db,
      sql`select secret_hash, is_public, authorized_grant_types as grants, access_token_validity, refresh_token_validity from client
          where client_id = ${id} and is_deleted = 0 and status = 1`,
    ),
  );
  return row;
}
