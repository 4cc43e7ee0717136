import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { TaskQueue } from '#shared/task-queue';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { megabyte } from './byte-limit.ts';
import { imageTypes, readAll } from './content-type.ts';
import type { StoredFile } from './file-rows.ts';
import { newKey } from './files.ts';
import type { Stores } from './stores.ts';

const maxEdgePixels = 320;
/** Maximum size of a picture that gets a thumbnail; drawing larger ones costs more than it saves. */
const maxBytes = 20 * megabyte;
/** Maximum number of pixels, because a small file can decode to more than the memory holds. */
const maxPixels = 80_000_000;
const minBytes = 60 * 1024;
const timeoutSeconds = 10;

/** A thumbnail, ready to be sent. */
export interface Thumbnail {
  readonly type: 'image/webp';
  readonly size: number;
  readonly content: Readable;
}

/** Thumbnails of pictures: drawn on first request, one at a time, and stored beside the originals. */
export class Thumbnails {
  private readonly queue = new TaskQueue();

  constructor(
    private readonly db: Database,
    private readonly stores: Stores,
  ) {}

  /** Returns undefined if the file is not a picture, is already small, is too large or cannot be drawn. */
  async of(file: StoredFile): Promise<Thumbnail | undefined> {
    if (!imageTypes.has(file.type) || file.size <= minBytes || file.size > maxBytes) return undefined;
    const key = file.thumbnail ?? (await this.queue.run(() => this.make(file)));
    const store = await this.stores.find(file.tenantId, file.store);
    const size = key === undefined ? undefined : await store.size(key);
    return key === undefined || size === undefined ? undefined : { type: 'image/webp', size, content: await store.open(key) };
  }

  private async make(file: StoredFile): Promise<string | undefined> {
    const existingKey = await this.storedThumbnailKey(file);
    if (existingKey) return existingKey;
    const store = await this.stores.find(file.tenantId, file.store);
    const drawn = await draw(await readAll(await store.open(file.key))).catch(() => undefined);
    if (!drawn) return undefined;
    const key = newKey();
    await store.put(key, Readable.from([drawn], { objectMode: false }));
    const set = sql`update stored_file set thumbnail = ${key} where id = ${file.id} and thumbnail is null and stage = 'kept' returning 1`;
    const isFirst = (await this.db.write({ tenantId: file.tenantId }, () => queryRows(this.db, set))).length > 0;
    if (isFirst) return key;
    await store.remove(key);
    return this.storedThumbnailKey(file);
  }

  private async storedThumbnailKey({ tenantId, id }: StoredFile): Promise<string | undefined> {
    const [row] = await this.db.read({ tenantId }, () =>
      queryRows<{ thumbnail: string | null }>(this.db, sql`select thumbnail from stored_file where id = ${id}`),
    );
    return row?.thumbnail ?? undefined;
  }
}

/** Draws a thumbnail. The library is loaded on first use, so that deployments without pictures do not need it. */
async function draw(content: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(content, { limitInputPixels: maxPixels, failOn: 'error' })
    .rotate()
    .resize({ width: maxEdgePixels, height: maxEdgePixels, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .timeout({ seconds: timeoutSeconds })
    .toBuffer();
}
