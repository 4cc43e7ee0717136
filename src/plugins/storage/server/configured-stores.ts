import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type ObjectStore, queryRows, type Repository, type ServerContext, StoreDirectory } from '#server';
import { type Oss, type OssRow, stores } from '../contract.ts';
import { openStore } from './open-store.ts';
import type { S3Store } from './s3-store.ts';

const maxStores = 200;
const prefix = 'oss:';

/** Directory of the tenants' stores; a changed row is opened as a new store. */
export class ConfiguredStores extends StoreDirectory {
  private readonly opened = new LRUCache<string, Promise<ObjectStore>>({ max: maxStores });

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'egress'>,
    private readonly rows: Repository<typeof Oss>,
  ) {
    super();
  }

  async enabledStoreKey(tenantId: string): Promise<string | undefined> {
    const { db } = this.context;
    const [row] = await db.read({ tenantId }, () =>
      queryRows<{ id: string; category: string }>(
        db,
        sql`select id::text as id, category from oss where tenant_id = ${tenantId} and status = 2 and is_deleted = 0`,
      ),
    );
    return row && row.category !== stores.local ? nameOf(row) : undefined;
  }

  async find(tenantId: string, name: string): Promise<ObjectStore | undefined> {
    if (!name.startsWith(prefix)) return undefined;
    const { db } = this.context;
    const id = name.slice(prefix.length);
    return db.read({ tenantId }, async () => {
      const [version] = await queryRows<{ digest: string }>(db, sql`select md5(o::text) as digest from oss o where id = ${id} and is_deleted = 0`);
      return version && this.openCached(`${tenantId}/${id}/${version.digest}`, async () => this.open(tenantId, await this.rows.detail(id)));
    });
  }

  /** Opens the store of a row, without caching it. */
  async open(tenantId: string, row: OssRow): Promise<S3Store> {
    const secretKey = (await this.rows.decrypt(row.id, 'secretKey')) ?? '';
    return openStore({ ...row, tenantId, secretKey }, this.context.egress);
  }

  private openCached(key: string, open: () => Promise<ObjectStore>): Promise<ObjectStore> {
    const store = this.opened.get(key) ?? open();
    this.opened.set(key, store);
    store.catch(() => this.opened.delete(key));
    return store;
  }
}

/** Returns the name by which files reference their store. */
export const nameOf = ({ id }: { readonly id: string }): string => `${prefix}${id}`;
