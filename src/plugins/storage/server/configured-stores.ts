import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Egress, type FilesBucketConfiguration, type ObjectStore, queryRows, type Repository, type ServerContext, StoreDirectory } from '#server';
import { type Oss, type OssRow, stores } from '../contract.ts';
import { S3Store } from './s3-store.ts';

const maxStores = 200;
const prefix = 'oss:';
/** Name by which files reference the bucket of the deployment. */
const deploymentStore = 'bucket';

/** Directory of the tenants' stores and of the deployment's bucket, if it has one; a changed row is opened as a new store. */
export class ConfiguredStores extends StoreDirectory {
  private readonly opened = new LRUCache<string, Promise<ObjectStore>>({ max: maxStores });

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'egress'>,
    private readonly rows: Repository<typeof Oss>,
    private readonly bucket: FilesBucketConfiguration | undefined,
  ) {
    super();
  }

  async enabledStoreName(tenantId: string): Promise<string | undefined> {
    const { db } = this.context;
    const [row] = await db.read({ tenantId }, () =>
      queryRows<{ id: string; category: string }>(
        db,
        sql`select id::text as id, category from oss where tenant_id = ${tenantId} and status = 2 and is_deleted = 0`,
      ),
    );
    if (row && row.category !== stores.local) return storeKeyOf(row);
    return this.bucket && deploymentStore;
  }

  async find(tenantId: string, name: string): Promise<ObjectStore | undefined> {
    if (name === deploymentStore) return this.bucket && this.openBucket(tenantId);
    if (!name.startsWith(prefix)) return undefined;
    const { db } = this.context;
    const id = name.slice(prefix.length);
    return db.read({ tenantId }, async () => {
      const [version] = await queryRows<{ digest: string }>(db, sql`select md5(o::text) as digest from oss o where id = ${id} and is_deleted <> 1`);
      return version && this.openCached(`${tenantId}/${id}/${version.digest}`, async () => this.open(tenantId, await this.rows.detail(id)));
    });
  }

  /** Opens the deployment's bucket for the files of a tenant; undefined without one. */
  async openBucket(tenantId: string): Promise<ObjectStore | undefined> {
    const { bucket } = this;
    if (!bucket) return undefined;
    return this.openCached(`${tenantId}/${deploymentStore}`, () => {
      const { bucket: bucketName, endpoint, publicEndpoint: transformEndpoint = null, region = null, accessKey, secretKey } = bucket;
      const address = { endpoint, transformEndpoint, region, accessKey, secretKey };
      return openStore({ ...address, category: vendorOf(endpoint), bucketName, appId: null, tenantId }, undefined);
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
export const storeKeyOf = ({ id }: { readonly id: string }): string => `${prefix}${id}`;

/** Configuration with its decrypted secret, for the server's own use. */
export type DecryptedOss = Pick<OssRow, 'category' | 'endpoint' | 'transformEndpoint' | 'bucketName' | 'appId' | 'region' | 'accessKey'> & {
  readonly tenantId: string;
  readonly secretKey: string;
};

const connectTimeoutMs = 5000;
const responseTimeoutMs = 30_000;

/** Opens the store of a configuration without sending a request. Addresses that users entered are limited by the egress rules. */
export async function openStore(row: DecryptedOss, egress: Egress | undefined): Promise<S3Store> {
  const sdk = await import('@aws-sdk/client-s3');
  const config = (endpoint: string): S3ClientConfig => ({
    endpoint,
    region: regionOf(row),
    forcePathStyle: isPathStyle(row.category, endpoint),
    credentials: { accessKeyId: row.accessKey ?? '', secretAccessKey: row.secretKey },
    maxAttempts: 2,
    // Compatible stores support neither the newer checksums nor individually signed chunks.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { ...egress?.agents, connectionTimeout: connectTimeoutMs, requestTimeout: responseTimeoutMs },
  });
  const endpoint = row.endpoint ?? '';
  egress?.check(new URL(endpoint));
  return new S3Store({
    sdk,
    client: new sdk.S3Client(config(endpoint)),
    publicClient: new sdk.S3Client(config(row.transformEndpoint || endpoint)),
    bucket: bucketOf(row),
    prefix: `${row.tenantId}/`,
  });
}

/** Tencent's bucket names end with the number of the account. */
export function bucketOf({ category, bucketName, appId }: Pick<DecryptedOss, 'category' | 'bucketName' | 'appId'>): string {
  const name = bucketName ?? '';
  return category === stores.tencent && appId && !name.endsWith(`-${appId}`) ? `${name}-${appId}` : name;
}

const regionPatterns: Readonly<Record<string, RegExp>> = {
  [stores.qiniu]: /^s3[.-]([a-z0-9-]+)\./,
  [stores.ali]: /^(?:s3\.)?(oss-[a-z0-9-]+?)(?:-internal)?\.aliyuncs/,
  [stores.tencent]: /^cos\.([a-z0-9-]+)\./,
  [stores.huawei]: /^obs\.([a-z0-9-]+)\./,
  [stores.amazon]: /^s3[.-]([a-z]{2}-[a-z0-9-]+)\./,
};

/** Returns the vendor whose address this is; any other service counts as MinIO. */
const vendorOf = (endpoint: string): string =>
  Object.entries(regionPatterns).find(([, pattern]) => pattern.test(new URL(endpoint).hostname))?.[0] ?? stores.minio;

/** Returns the region to sign for: the entered one, otherwise the one in the vendor's address. */
export function regionOf({ category, region, endpoint }: Pick<DecryptedOss, 'category' | 'region' | 'endpoint'>): string {
  if (region) return region;
  const host = URL.canParse(endpoint ?? '') ? new URL(endpoint ?? '').hostname : '';
  return regionPatterns[category]?.exec(host)?.[1] ?? 'us-east-1';
}

/** MinIO and addresses without a host name have the bucket in the path; others have it in front of the host. */
function isPathStyle(category: string, endpoint: string): boolean {
  return category === stores.minio || /^(localhost|[\d.]+|\[.*\])$/.test(new URL(endpoint).hostname);
}
