import { randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { maxPasskeys, type Passkey, passkeyProblems } from '#shared/passkeys';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** Account that owns passkeys. */
export interface PasskeyOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** A passkey as its signatures are verified. */
export interface StoredPasskey extends PasskeyOwner {
  readonly id: string;
  readonly credentialId: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  readonly userHandle: string;
  readonly transports: string;
}

/** Verified passkey to be stored. */
export interface NewPasskey extends Omit<StoredPasskey, 'id'> {
  readonly counter: number;
  readonly rpId: string;
  readonly name: string;
}

const shown = sql`id::text as id, name, rp_id as host, to_char(create_time, 'YYYY-MM-DD HH24:MI:SS') as "createTime",
  to_char(last_used_at, 'YYYY-MM-DD HH24:MI:SS') as "lastUsedAt"`;

const verified = sql`id::text as id, tenant_id as "tenantId", user_id::text as "userId", credential_id as "credentialId", public_key as "publicKey",
  user_handle as "userHandle", transports`;

type Shown = Omit<Passkey, 'lastUsedAt'> & { readonly lastUsedAt: string | null };

const passkeyOf = ({ lastUsedAt, ...passkey }: Shown): Passkey => ({ ...passkey, ...(lastUsedAt === null ? {} : { lastUsedAt }) });

/** The stored passkeys of all accounts. */
export class StoredPasskeys {
  constructor(private readonly db: Database) {}

  async list(owner: PasskeyOwner): Promise<Passkey[]> {
    const rows = await this.ofOwner<Shown>(owner, sql`select ${shown} from passkey where user_id = ${owner.userId} order by id`);
    return rows.map(passkeyOf);
  }

  /** Returns the passkeys of an account that work at a domain. */
  at(owner: PasskeyOwner, rpId: string): Promise<StoredPasskey[]> {
    return this.ofOwner(owner, sql`select ${verified} from passkey where user_id = ${owner.userId} and rp_id = ${rpId} order by id`);
  }

  /** Returns the random handle by which authenticators know the account. */
  async handleOf(owner: PasskeyOwner): Promise<string> {
    const [found] = await this.ofOwner<{ handle: string }>(owner, sql`select user_handle as handle from passkey where user_id = ${owner.userId} limit 1`);
    return found?.handle ?? randomBytes(32).toString('base64url');
  }

  /** Finds a passkey before the tenant of its owner is known. */
  async find(credentialId: string, rpId: string): Promise<StoredPasskey[]> {
    return this.db.asPlatform('finds a passkey before its tenant is known', () =>
      queryRows<StoredPasskey>(this.db, sql`select ${verified} from passkey where credential_id = ${credentialId} and rp_id = ${rpId} limit 2`),
    );
  }

  /** Stores a passkey; throws if the account has as many as it may have. */
  async add({ tenantId, userId, ...passkey }: NewPasskey): Promise<Passkey> {
    const { credentialId, publicKey, userHandle, transports, counter, rpId, name } = passkey;
    return this.db.write({ tenantId }, async () => {
      // Simultaneous requests of one account wait here for each other.
      await queryRows(this.db, sql`select 1 from user_account where id = ${userId} for update`);
      const [{ count } = { count: 0 }] = await queryRows<{ count: number }>(
        this.db,
        sql`select count(*)::integer as count from passkey where user_id = ${userId}`,
      );
      if (count >= maxPasskeys) throw new ApiError(passkeyProblems.tooMany, { max: maxPasskeys });
      const [row] = await queryRows<Shown>(
        this.db,
        sql`insert into passkey (tenant_id, user_id, user_handle, credential_id, public_key, counter, transports, rp_id, name)
            values (${tenantId}, ${userId}, ${userHandle}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${rpId}, ${name})
            on conflict (credential_id, tenant_id) do nothing returning ${shown}`,
      );
      if (!row) throw new ApiError(passkeyProblems.registeredAlready);
      return passkeyOf(row);
    });
  }

  /** Stores the counter of a signature and the time of its use. Returns false if the authenticator has not counted on, as a copy of it would not have. */
  async use({ id, tenantId }: StoredPasskey, counter: number): Promise<boolean> {
    const used = await this.db.write({ tenantId }, () =>
      queryRows(
        this.db,
        sql`update passkey set counter = ${counter}, last_used_at = now() where id = ${id}::bigint and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`,
      ),
    );
    return used.length > 0;
  }

  async rename(owner: PasskeyOwner, id: string, name: string): Promise<void> {
    await this.change(owner, sql`update passkey set name = ${name} where id = ${id}::bigint and user_id = ${owner.userId} returning id`);
  }

  async remove(owner: PasskeyOwner, id: string): Promise<void> {
    await this.change(owner, sql`delete from passkey where id = ${id}::bigint and user_id = ${owner.userId} returning id`);
  }

  private async change(owner: PasskeyOwner, statement: SQL): Promise<void> {
    const changed = await this.ofOwner(owner, statement);
    if (changed.length === 0) throw new ApiError(problems.notFound);
  }

  private ofOwner<Row>({ tenantId }: PasskeyOwner, statement: SQL): Promise<Row[]> {
    return this.db.write({ tenantId }, () => queryRows<Row & Record<string, unknown>>(this.db, statement));
  }
}
