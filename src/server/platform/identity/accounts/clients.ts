import { hash, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { signInProblems } from '#shared/auth-problems';
import { ApiError } from '#shared/errors';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** An OAuth client, with its permitted grants and the lifetimes of its tokens. */
export interface Client {
  readonly clientId: string;
  readonly grants: readonly string[];
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  /** True if the client has proved its secret. */
  readonly proven: boolean;
}

interface ClientRow {
  secret_hash: string;
  is_public: boolean;
  grants: string[];
  access_token_validity: number;
  refresh_token_validity: number;
}

/** Computes the form in which client secrets are stored. */
export const secretHash = (secret: string) => hash('sha256', secret);

/** Creates a public client if there is none with this id; an existing one is not changed. Without a secret it only gets the grants that need none. */
export async function ensureClient(
  db: Database,
  { clientId, secret, grants }: { clientId: string; secret?: string; grants: readonly string[] },
): Promise<void> {
  await queryRows(
    db,
    sql`insert into client (client_id, secret_hash, is_public, authorized_grant_types)
        values (${clientId}, ${secret === undefined ? '' : secretHash(secret)}, true, ${JSON.stringify(grants)}::jsonb)
        on conflict (client_id) where is_deleted = 0 do nothing`,
  );
}

/** Sets the secret of a client, where it has another one. */
export async function setClientSecret(db: Database, clientId: string, secret: string): Promise<void> {
  const hash = secretHash(secret);
  await queryRows(db, sql`update client set secret_hash = ${hash} where client_id = ${clientId} and is_deleted = 0 and secret_hash <> ${hash}`);
}

/** Grants a public client may use without its secret. */
const publicGrants = ['captcha', 'refresh_token', 'sms_code', 'social', 'authorization_code', 'register', 'passkey', 'ldap'];

/** Client id and secret in the body, as OAuth clients without a Basic header send them. */
export interface PostedClient {
  readonly client_id?: string;
  readonly client_secret?: string;
}

/**
 * Authenticates the client by its Basic header, or by the body if there is no header. Without a secret a public client only gets the grants that need none; a wrong
 * secret is rejected.
 */
export async function authenticateClient(db: Database, authorization: string, posted: PostedClient = {}): Promise<Client> {
  const { id, secret } = authorization === '' ? { id: posted.client_id ?? '', secret: posted.client_secret ?? '' } : credentialsOf(authorization);
  const row = id === '' ? undefined : await findClient(db, id);
  if (!row) throw new ApiError(signInProblems.unknownClient);
  const proven = isSecret(secret, row) || isSecret(formDecoded(secret), row);
  if (!proven && !(row.is_public && secret === '')) throw new ApiError(signInProblems.unknownClient);
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

/** Decodes a form-encoded secret as RFC 6749 §2.3.1 requires. BladeX-compatible clients send it raw, so callers try both. */
function formDecoded(secret: string): string {
  return new URLSearchParams(`secret=${secret.replaceAll('&', '%26')}`).get('secret') ?? '';
}

/** Returns the client id of a Basic header even if its secret is wrong; '' without one. */
export const clientIdOf = (authorization: string): string => credentialsOf(authorization).id;

function credentialsOf(authorization: string): { id: string; secret: string } {
  const encoded = /^basic\s+([\w+/=-]+)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return { id: '', secret: '' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? { id: '', secret: '' } : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

async function findClient(db: Database, id: string): Promise<ClientRow | undefined> {
  if (id.length > 64 || id.includes('\0')) return undefined;
  const [row] = await db.asPlatform('reads a client before its tenant is known', () =>
    queryRows<ClientRow>(
      db,
      sql`select secret_hash, is_public, authorized_grant_types as grants, access_token_validity, refresh_token_validity from client
          where client_id = ${id} and is_deleted = 0 and status = 1`,
    ),
  );
  return row;
}
