import { type SQL, sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { currentActor } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { megabyte } from './byte-limit.ts';

/** Progress of a file: `parts` arrive one by one, `awaited` waits for an upload to a signed address, and the content of a `removed` file is still to be deleted. */
export type FileStage = 'kept' | 'writing' | 'parts' | 'awaited' | 'removed';

/** A file's database row. Until its stage is `kept`, size and type are the declared ones. */
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
  readonly stage: FileStage;
  readonly upload: string | null;
  readonly thumbnail: string | null;
}

/** Purpose and lifetime of a file. */
export interface FilePlacement {
  readonly tenantId: string;
  readonly userId: string;
  readonly purpose: string;
  readonly isPublic?: boolean;
  /** Hours until the file is removed; unlimited by default. */
  readonly hours?: number;
  /** Maximum number of bytes; unlimited by default. */
  readonly limit?: number;
}

/** A file whose upload is pending. */
export interface PendingUpload extends Pick<StoredFile, 'key' | 'store' | 'name' | 'type' | 'size'> {
  readonly stage: FileStage;
  /** Hours within which it must arrive. */
  readonly hours: number;
  readonly upload?: string | undefined;
  readonly modified?: number | undefined;
}

const columns = sql.raw(
  `id::text as id, tenant_id as "tenantId", key, store, name, type, size::double precision as size, purpose, owner_id::text as "ownerId", is_public as "isPublic", stage, upload, thumbnail`,
);
const isUnexpired = sql`(expires_at is null or expires_at > now())`;

/** The table of files. It enforces the storage quota of each tenant. */
export class FileRows {
  constructor(
    private readonly db: Database,
    /** Quota in bytes; infinite if the tenant has no limit. */
    private readonly quotaOf: (tenantId: string) => Promise<number>,
  ) {}

  /** Selects files of the tenant in a stage, complete ones by default. */
  select(tenantId: string, where: SQL, stage: FileStage = 'kept'): Promise<StoredFile[]> {
    return this.db.read({ tenantId }, () =>
      queryRows<StoredFile>(this.db, sql`select ${columns} from stored_file where stage = ${stage} and ${isUnexpired} and ${where}`),
    );
  }

  /** Finds a complete or awaited file by its key, before the user is known. */
  async ofAnyTenant(key: string): Promise<StoredFile | undefined> {
    const [file] = await this.db.asPlatform('serves a file by its link before sign-in', () =>
      queryRows<StoredFile>(this.db, sql`select ${columns} from stored_file where key = ${key} and stage in ('kept', 'awaited') and ${isUnexpired}`),
    );
    return file;
  }

  async insertPending({ key, store, name, type, size, stage, hours, upload, modified }: PendingUpload, placement: FilePlacement): Promise<StoredFile> {
    const { tenantId, userId, purpose, isPublic = false } = placement;
    return this.withinQuota(
      tenantId,
      sql`insert into stored_file (key, store, name, type, size, purpose, owner_id, owner_dept, is_public, stage, upload, modified, expires_at)
          values (${key}, ${store}, ${name}, ${type}, ${size}, ${purpose}, ${userId}, ${currentActor()?.deptId ?? null}, ${isPublic}, ${stage},
            ${upload ?? null}, ${modified ?? null}, now() + make_interval(hours => ${hours}))
          returning ${columns}`,
    );
  }

  /** Marks the file as complete. */
  finish({ tenantId, id }: StoredFile, { size, type }: Pick<StoredFile, 'size' | 'type'>, hours?: number): Promise<StoredFile> {
    const until = hours === undefined ? sql`null` : sql`now() + make_interval(hours => ${hours})`;
    return this.withinQuota(
      tenantId,
      sql`update stored_file set size = ${size}, type = ${type}, expires_at = ${until}, stage = 'kept', upload = null
          where id = ${id} and stage = 'writing' returning ${columns}`,
    );
  }

  /** Moves a file from one stage to another; false if another request was faster. */
  async move({ tenantId, id }: StoredFile, from: FileStage, to: FileStage): Promise<boolean> {
    const moved = await this.db.write({ tenantId }, () =>
      queryRows(this.db, sql`update stored_file set stage = ${to} where id = ${id} and stage = ${from} returning 1`),
    );
    return moved.length > 0;
  }

  /** Hides these files at once; their content is still to be deleted. */
  remove(tenantId: string, ids: readonly string[]): Promise<StoredFile[]> {
    return this.db.write({ tenantId }, () =>
      queryRows<StoredFile>(
        this.db,
        sql`update stored_file set stage = 'removed', expires_at = now() where id = any(${`{${ids.join(',')}}`}::bigint[]) and stage <> 'removed' returning ${columns}`,
      ),
    );
  }

  /** Claims expired files and removed ones whose content could not be deleted before; awaited files keep their stage, because they may have arrived. */
  takeExpired(limit: number): Promise<StoredFile[]> {
    return this.db.asPlatform('deletes expired files of all tenants', () =>
      queryRows<StoredFile>(
        this.db,
        sql`update stored_file set stage = case stage when 'awaited' then stage else 'removed' end
            where id in (select id from stored_file where expires_at < now() order by expires_at limit ${limit} for update skip locked) returning ${columns}`,
      ),
    );
  }

  async deleteRow({ tenantId, id }: StoredFile): Promise<void> {
    await this.db.write({ tenantId }, () => queryRows(this.db, sql`delete from stored_file where id = ${id} and stage = 'removed'`));
  }

  /** Postpones the removal by an hour. */
  async postpone({ tenantId, id }: StoredFile): Promise<void> {
    await this.db.write({ tenantId }, () =>
      queryRows(this.db, sql`update stored_file set expires_at = now() + interval '1 hour' where id = ${id} and stage <> 'kept'`),
    );
  }

  isBackupRunning(): Promise<boolean> {
    return this.db.isBackupRunning();
  }

  private async withinQuota(tenantId: string, statement: SQL): Promise<StoredFile> {
    const quota = await this.quotaOf(tenantId);
    return this.db.write({ tenantId }, async () => {
      const [file] = await queryRows<StoredFile>(this.db, statement);
      if (!file) throw new ApiError(problems.notFound);
      if (quota === Number.POSITIVE_INFINITY) return file;
      const [used] = await queryRows<{ bytes: number }>(this.db, sql`select bytes::double precision as bytes from file_usage where tenant_id = ${tenantId}`);
      if ((used?.bytes ?? 0) > quota) throw new ApiError(fileProblems.quota, { megabytes: Math.floor(quota / megabyte) });
      return file;
    });
  }
}
