import { sql } from 'drizzle-orm';
import { type Database, idArray, queryRows } from '#server';

/** Seconds after which a sign-in is checked again. */
const checkSeconds = 30;
const batchSize = 200;

/** A sign-in that has just succeeded. */
export interface NewSignIn {
  readonly providerId: string;
  readonly identityId: string;
  /** True if a group of the user has a role. */
  readonly hadGroup: boolean;
  /** Session at the issuer. */
  readonly issuerSession?: string | undefined;
  readonly refreshToken?: string | undefined;
}

/** A sign-in that is due for a check. */
export interface DueSignIn {
  readonly id: string;
  readonly tenantId: string;
  readonly providerId: string;
  /** The provider's permanent id of the user. */
  readonly uuid: string;
  readonly userId: string;
  readonly hadGroup: boolean;
  readonly refreshToken: string | undefined;
  /** False if a later sign-in of the user has a refresh token of its own. */
  readonly isLatest: boolean;
}

const isActive = sql`s.revoked_at is null and s.expires_at > now()`;
/** Tests whether sign-in `p` has begun a live session. */
const isLive = sql`exists (select from session s where s.sign_in_id = p.id and ${isActive})`;
/** Tests whether the user of sign-in `p` has a live session, however it was begun. */
const isUserLive = sql`exists (select from user_oauth i join session s on s.user_id = i.user_id where i.id = p.identity_id and ${isActive})`;

/** Sign-ins with providers, which the sessions that they began refer to. */
export class ProviderSignIns {
  constructor(private readonly db: Database) {}

  /** Stores a sign-in and returns its id. */
  async add(tenantId: string, { providerId, identityId, hadGroup, issuerSession, refreshToken }: NewSignIn): Promise<string> {
    const token = refreshToken === undefined ? null : this.db.encryption.encrypt(refreshToken);
    const [row] = await this.db.write({ tenantId }, () =>
      queryRows<{ id: string }>(
        this.db,
        sql`insert into provider_sign_in (provider_id, identity_id, issuer_session, refresh_token, had_group, due_at)
            values (${providerId}, ${identityId}, ${issuerSession?.slice(0, 255) ?? null}, ${token}, ${hadGroup}, now() + make_interval(secs => ${checkSeconds}))
            returning id::text as id`,
      ),
    );
    return row?.id ?? '';
  }

  /** Claims sign-ins that are due and whose users have live sessions, each for one server, until the next check. */
  async claim(): Promise<readonly DueSignIn[]> {
    const rows = await this.db.asPlatform('claims sign-ins of all tenants whose providers are asked', () =>
      queryRows<Omit<DueSignIn, 'refreshToken'> & { token: string | null }>(
        this.db,
        sql`with due as materialized (
              select p.id, p.tenant_id from provider_sign_in p where p.due_at <= now() and (${isLive} or ${isUserLive}) order by p.due_at limit ${batchSize} for update skip locked)
            update provider_sign_in p set due_at = now() + make_interval(secs => ${checkSeconds}) from due, user_oauth o
            where p.id = due.id and p.tenant_id = due.tenant_id and o.id = p.identity_id and o.tenant_id = p.tenant_id
            returning p.id::text as id, p.tenant_id as "tenantId", p.provider_id::text as "providerId", o.uuid, coalesce(o.user_id, 0)::text as "userId",
              p.had_group as "hadGroup", p.refresh_token as token,
              not exists (select from provider_sign_in n where n.identity_id = p.identity_id and n.id > p.id and n.refresh_token is not null) as "isLatest"`,
      ),
    );
    return rows.map(({ token, ...row }) => ({ ...row, refreshToken: token === null ? undefined : this.db.encryption.decrypt(token) }));
  }

  /** Stores the refresh token that has replaced another, and whether a group has a role now. */
  async update(tenantId: string, id: string, { refreshToken, hadGroup }: Pick<NewSignIn, 'refreshToken' | 'hadGroup'>): Promise<void> {
    const token = refreshToken === undefined ? null : this.db.encryption.encrypt(refreshToken);
    await this.db.write({ tenantId }, () =>
      queryRows(this.db, sql`update provider_sign_in set refresh_token = coalesce(${token}, refresh_token), had_group = ${hadGroup} where id = ${id}::bigint`),
    );
  }

  /** Finds the sign-ins of a session at the issuer, or all of a user there. */
  async find(tenantId: string, providerId: string, { session, sub, source }: { session: string | undefined; sub: string | undefined; source: string }) {
    const which = session === undefined ? sql`true` : sql`p.issuer_session = ${session}`;
    const whose = sub === undefined ? sql`true` : sql`o.uuid = ${sub}`;
    const rows = await this.db.read({ tenantId }, () =>
      queryRows<{ id: string }>(
        this.db,
        sql`select p.id::text as id from provider_sign_in p join user_oauth o on o.id = p.identity_id and o.source = ${source}
            where p.provider_id = ${providerId}::bigint and ${which} and ${whose}`,
      ),
    );
    return rows.map(({ id }) => id);
  }

  /** Forgets refresh tokens of sessions that have ended. */
  async forget(tenantId: string, ids: readonly string[]): Promise<void> {
    await this.db.write({ tenantId }, () => queryRows(this.db, sql`update provider_sign_in set refresh_token = null where id = any(${idArray(ids)})`));
  }

  /**
   * Deletes sign-ins whose sessions have ended; a second factor may still begin one within the first minutes. The latest one of a user with roles of the provider stays:
   * it is checked while the user has sessions that were begun otherwise.
   */
  async sweep(): Promise<void> {
    await this.db.asPlatform('deletes sign-ins of all tenants whose sessions have ended', () =>
      queryRows(
        this.db,
        sql`delete from provider_sign_in p where p.create_time < now() - interval '15 minutes' and not ${isLive}
            and (exists (select from provider_sign_in n where n.identity_id = p.identity_id and n.id > p.id)
              or not exists (select from user_oauth o join provided_role r on r.user_id = o.user_id and r.provider_id = p.provider_id where o.id = p.identity_id))`,
      ),
    );
  }
}
