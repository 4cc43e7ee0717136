import { type SQL, sql } from 'drizzle-orm';
import { problems, Refusal } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { currentActor } from '../audit/actor.ts';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import { megabyte } from './counted.ts';

/** How far a file has come: `parts` arrive one by one, `awaited` is sent to a signed address, the content of what is `removed` is yet to go. */
export type Stage = 'kept' | 'writing' | 'parts' | 'awaited' | 'removed';

/** A file as the database knows it. Until it is kept, its size is what was promised and its type what was said. */
export interface StoredFile {
  readonly id: string;
  readonly tenantId: string;
  readonly key: string;
  readonly store: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly purpose: string;
  readonly ownerId: string;
  readonly isPublic: boolean;
  readonly stage: Stage;
  readonly upload: string | null;
  readonly thumbnail: string | null;
}

/** What a file is kept for, and how long. */
export interface Keeping {
  readonly tenantId: string;
  readonly userId: string;
  readonly purpose: string;
  readonly isPublic?: boolean;
  /** Hours until it is removed; for ever unless said. */
  readonly hours?: number;
  /** Bytes; no limit unless said. */
  readonly limit?: number;
}

/** A file that is yet to come. */
export interface Announced extends Pick<StoredFile, 'key' | 'store' | 'name' | 'type' | 'size'> {
  readonly stage: Stage;
  /** Until when it may come. */
  readonly hours: number;
  readonly upload?: string | undefined;
  readonly modified?: number | undefined;
}

const columns = sql.raw(
  `id::text as id, tenant_id as "tenantId", key, store, name, type, size::double precision as size, purpose, owner_id::text as "ownerId", is_public as "isPublic", stage, upload, thumbnail`,
);
const isLasting = sql`(expires_at is null or expires_at > now())`;

/** The table of files. What a tenant's files take up stays within what it may use. */
export class FileRows {
  constructor(
    private readonly db: Database,
    /** In bytes; infinite where a tenant may use what there is. */
    private readonly quotaOf: (tenantId: string) => Promise<number>,
  ) {}

  /** Files of the tenant that are there, or at another stage where one is named. */
  select(tenantId: string, where: SQL, stage: Stage = 'kept'): Promise<StoredFile[]> {
    return this.db.read({ tenantId }, () =>
      rowsOf<StoredFile>(this.db, sql`select ${columns} from stored_file where stage = ${stage} and ${isLasting} and ${where}`),
    );
  }

  /** The file of a key, kept or awaited, before anyone is known. */
  async ofAnyTenant(key: string): Promise<StoredFile | undefined> {
    const [file] = await this.db.asPlatform('a file is fetched by its link before anyone is known', () =>
      rowsOf<StoredFile>(this.db, sql`select ${columns} from stored_file where key = ${key} and stage in ('kept', 'awaited') and ${isLasting}`),
    );
    return file;
  }

  async announce({ key, store, name, type, size, stage, hours, upload, modified }: Announced, keeping: Keeping): Promise<StoredFile> {
    const { tenantId, userId, purpose, isPublic = false } = keeping;
    return this.withinQuota(
      tenantId,
      sql`insert into stored_file (key, store, name, type, size, purpose, owner_id, owner_dept, is_public, stage, upload, modified, expires_at)
          values (${key}, ${store}, ${name}, ${type}, ${size}, ${purpose}, ${userId}, ${currentActor()?.deptId ?? null}, ${isPublic}, ${stage},
            ${upload ?? null}, ${modified ?? null}, now() + make_interval(hours => ${hours}))
          returning ${columns}`,
    );
  }

  /** From now on the file is there. */
  finish({ tenantId, id }: StoredFile, { size, type }: Pick<StoredFile, 'size' | 'type'>, hours?: number): Promise<StoredFile> {
    const until = hours === undefined ? sql`null` : sql`now() + make_interval(hours => ${hours})`;
    return this.withinQuota(
      tenantId,
      sql`update stored_file set size = ${size}, type = ${type}, expires_at = ${until}, stage = 'kept', upload = null
          where id = ${id} and stage = 'writing' returning ${columns}`,
    );
  }

  /** Takes a file from one stage to another; false: it was no longer there, for somebody else took it. */
  async move({ tenantId, id }: StoredFile, from: Stage, to: Stage): Promise<boolean> {
    const moved = await this.db.write({ tenantId }, () =>
      rowsOf(this.db, sql`update stored_file set stage = ${to} where id = ${id} and stage = ${from} returning 1`),
    );
    return moved.length > 0;
  }

  /** From now on nobody finds these files; their content is yet to go. */
  remove(tenantId: string, ids: readonly string[]): Promise<StoredFile[]> {
    return this.db.write({ tenantId }, () =>
      rowsOf<StoredFile>(
        this.db,
        sql`update stored_file set stage = 'removed', expires_at = now() where id = any(${`{${ids.join(',')}}`}::bigint[]) and stage <> 'removed' returning ${columns}`,
      ),
    );
  }

  /** Files whose time has come, and those whose content could not be removed before; awaited ones stay so, for they may have come. */
  due(most: number): Promise<StoredFile[]> {
    return this.db.asPlatform('expired files of all tenants are removed together', () =>
      rowsOf<StoredFile>(
        this.db,
        sql`update stored_file set stage = case stage when 'awaited' then stage else 'removed' end
            where id in (select id from stored_file where expires_at < now() order by expires_at limit ${most} for update skip locked) returning ${columns}`,
      ),
    );
  }

  async forget({ tenantId, id }: StoredFile): Promise<void> {
    await this.db.write({ tenantId }, () => rowsOf(this.db, sql`delete from stored_file where id = ${id} and stage = 'removed'`));
  }

  /** Tried again in an hour. */
  async postpone({ tenantId, id }: StoredFile): Promise<void> {
    await this.db.write({ tenantId }, () =>
      rowsOf(this.db, sql`update stored_file set expires_at = now() + interval '1 hour' where id = ${id} and stage <> 'kept'`),
    );
  }

  private async withinQuota(tenantId: string, statement: SQL): Promise<StoredFile> {
    const quota = await this.quotaOf(tenantId);
    return this.db.write({ tenantId }, async () => {
      const [file] = await rowsOf<StoredFile>(this.db, statement);
      if (!file) throw new Refusal(problems.notFound);
      if (quota === Number.POSITIVE_INFINITY) return file;
      const [used] = await rowsOf<{ bytes: number }>(this.db, sql`select bytes::double precision as bytes from file_usage where tenant_id = ${tenantId}`);
      if ((used?.bytes ?? 0) > quota) throw new Refusal(fileProblems.quota, { megabytes: Math.floor(quota / megabyte) });
      return file;
    });
  }
}
