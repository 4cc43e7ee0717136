import { sql } from 'drizzle-orm';
import { ApiError } from '#shared/errors';
import { type SocialBinding, socialProblems } from '#shared/social';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** A user's profile at a provider. */
export interface Profile {
  /** The provider's permanent id of the user. */
  readonly uuid: string;
  readonly unionId: string;
  readonly name: string;
  readonly avatar: string;
  readonly email: string;
}

/** An external identity as stored here. */
export interface StoredIdentity {
  readonly id: string;
  readonly userId: string | null;
  readonly source: string;
  readonly name: string;
  readonly avatar: string;
  readonly email: string;
}

/** Tenant and source of an identity. */
export interface IdentityLink {
  readonly tenantId: string;
  readonly source: string;
}

const columns = sql`id::text as id, user_id::text as "userId", source, name, avatar, email`;

/** External identities and the users they are linked to: at most one per source for a user, and one user for each. */
export class Identities {
  constructor(private readonly db: Database) {}

  /** Stores the provider's current profile. */
  async upsert({ tenantId, source }: IdentityLink, { uuid, unionId, name, avatar, email }: Profile): Promise<StoredIdentity> {
    const [row] = await this.db.write({ tenantId }, () =>
      queryRows<StoredIdentity>(
        this.db,
        sql`insert into user_oauth (source, uuid, union_id, name, avatar, email)
            values (${source}, ${uuid.slice(0, 255)}, ${unionId.slice(0, 255) || null}, ${cut(name, 64)}, ${avatar.length > 1024 ? '' : avatar}, ${email.length > 128 ? '' : email})
            on conflict (tenant_id, source, uuid) where is_deleted = 0 do update
              set name = excluded.name, avatar = excluded.avatar, email = excluded.email, union_id = excluded.union_id, update_time = now()
            returning ${columns}`,
      ),
    );
    if (!row) throw new Error('The identity was neither inserted nor found.');
    return row;
  }

  /** Finds an identity that is not linked yet. Call it inside work in its tenant. */
  async findUnlinked(id: string): Promise<StoredIdentity | undefined> {
    const [row] = await queryRows<StoredIdentity>(
      this.db,
      sql`select ${columns} from user_oauth where id = ${id}::bigint and user_id is null and is_deleted = 0 for update`,
    );
    return row;
  }

  /** Links an identity; throws if it belongs to another user, or the user already has one of this source. */
  async link(tenantId: string, { id, source }: Pick<StoredIdentity, 'id' | 'source'>, userId: string): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      const [other] = await queryRows<{ id: string }>(
        this.db,
        sql`select id::text as id from user_oauth where user_id = ${userId} and source = ${source} and is_deleted = 0 for update`,
      );
      if (other) {
        if (other.id === id) return;
        throw new ApiError(socialProblems.boundAlready);
      }
      const bound = await queryRows(
        this.db,
        sql`update user_oauth set user_id = ${userId}, freed_from = null, update_time = now() where id = ${id}::bigint and user_id is null and is_deleted = 0 returning id`,
      );
      if (bound.length === 0) throw new ApiError(socialProblems.boundToAnother);
    });
  }

  /** Unlinks identities. Call it inside work in the user's tenant. */
  async unlink(userId: string, source?: string): Promise<void> {
    const which = source === undefined ? sql`` : sql` and source = ${source}`;
    await this.db.sql.execute(sql`update user_oauth set user_id = null, update_time = now() where user_id = ${userId} and is_deleted = 0${which}`);
  }

  listOf(userId: string): Promise<SocialBinding[]> {
    return queryRows<SocialBinding>(
      this.db,
      sql`select source, name, avatar, to_char(coalesce(update_time, create_time), 'YYYY-MM-DD HH24:MI:SS') as "createTime" from user_oauth
          where user_id = ${userId} and is_deleted = 0 order by source`,
    );
  }
}

const cut = (text: string, length: number) => [...text].slice(0, length).join('');
