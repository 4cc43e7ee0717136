import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { sanitizeFilename, withByteLimit } from './byte-limit.ts';
import { detectAndValidateType, readAll, sampledBytes, sampleOf } from './content-type.ts';
import type { FilePlacement, FileRows, StoredFile } from './file-rows.ts';
import type { ByteRange } from './object-store.ts';
import type { Signatures } from './signatures.ts';
import type { Stores } from './stores.ts';

export type { FilePlacement, StoredFile } from './file-rows.ts';

const linkMinutes = 10;
/** Hours after which a file whose writing was interrupted is removed. */
const hoursToWrite = 2;
const sweepBatchSize = 200;

/** Generates a random key that cannot be guessed. */
export const newKey = (): string => randomBytes(16).toString('hex');

/** Stores files for users and for the server itself. Callers that look up a file by id must have checked access. */
export class Files {
  constructor(
    private readonly rows: FileRows,
    private readonly signatures: Signatures,
    readonly stores: Stores,
  ) {}

  /** Stores all of `content` or nothing. It opens its own transactions, none of which stays open while content arrives. */
  async save(name: string, content: Readable, placement: FilePlacement): Promise<StoredFile> {
    const { sample, whole } = await sampleOf(content);
    const type = await detectAndValidateType(sample, placement);
    const store = await this.stores.nameFor(placement.tenantId);
    const pending = { key: newKey(), store, name: sanitizeFilename(name), type, size: 0, stage: 'writing', hours: hoursToWrite } as const;
    const file = await this.rows.insertPending(pending, placement);
    const counter = withByteLimit(whole, placement.limit);
    try {
      await (await this.stores.find(file.tenantId, file.store)).put(file.key, counter.content);
      return await this.rows.finish(file, { size: counter.bytes(), type }, placement.hours);
    } catch (error) {
      await this.remove(placement.tenantId, [file.id]);
      throw error;
    }
  }

  /** Finds a file of the tenant by id. */
  async find(tenantId: string, id: string): Promise<StoredFile | undefined> {
    return (await this.rows.select(tenantId, sql`id = ${id}`))[0];
  }

  /** Finds a file of the tenant by key. */
  async findKey(tenantId: string, key: string): Promise<StoredFile | undefined> {
    return (await this.rows.select(tenantId, sql`key = ${key}`))[0];
  }

  /** Finds the files of the tenant with these keys. */
  findKeys(tenantId: string, keys: readonly string[]): Promise<StoredFile[]> {
    return this.rows.select(tenantId, sql`key = any(${`{${keys.join(',')}}`}::text[])`);
  }

  async open({ tenantId, store, key }: StoredFile, part?: ByteRange): Promise<Readable> {
    return (await this.stores.find(tenantId, store)).open(key, part);
  }

  /** Creates a link that needs no token: valid for ten minutes, or without limit for a public file. */
  linkTo({ key, isPublic }: Pick<StoredFile, 'key' | 'isPublic'>): string {
    if (isPublic) return `/api/file/blob?key=${key}`;
    const expires = Math.floor(Date.now() / 1000) + linkMinutes * 60;
    return `/api/file/blob?key=${key}&expires=${expires}&signature=${this.signatures.sign(key, expires)}`;
  }

  /** Resolves a link; throws if it was not signed here or has expired. */
  async resolveLink({ key, expires, signature }: { key: string; expires?: string | undefined; signature?: string | undefined }): Promise<StoredFile> {
    const isSigned = signature !== undefined && expires !== undefined && this.signatures.isValid(key, Number(expires), signature);
    const file = await this.rows.ofAnyTenant(key);
    if (!file || !(isSigned || file.isPublic)) throw new ApiError(signature === undefined || isSigned ? problems.notFound : fileProblems.expired);
    return file.stage === 'kept' ? file : this.completeUpload(file);
  }

  /** Checks a file uploaded to a signed address, and completes or discards it. Throws `notFound` if nothing has arrived. */
  async completeUpload(file: StoredFile): Promise<StoredFile> {
    const store = await this.stores.find(file.tenantId, file.store);
    const size = await store.size(file.key);
    if (size === undefined || !(await this.rows.move(file, 'awaited', 'writing'))) throw new ApiError(problems.notFound);
    try {
      if (size > file.size) throw new ApiError(fileProblems.largerThanDeclared);
      const sample = size === 0 ? new Uint8Array() : await readAll(await store.open(file.key, { start: 0, end: Math.min(size, sampledBytes) - 1 }));
      return await this.rows.finish(file, { size, type: await detectAndValidateType(sample, file) });
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) await this.remove(file.tenantId, [file.id]);
      else await this.rows.move(file, 'writing', 'awaited');
      throw error;
    }
  }

  /** Removes files, then their content; missing ones are ignored. Content that the store cannot delete now is deleted later. */
  async remove(tenantId: string, ids: readonly string[]): Promise<void> {
    for (const file of await this.rows.remove(tenantId, ids)) await this.deleteContent(file);
  }

  /** Removes expired files and the remains of interrupted writes. */
  async sweep(): Promise<void> {
    for (;;) {
      const due = await this.rows.takeExpired(sweepBatchSize);
      for (const file of due) {
        const hasArrived = file.stage === 'awaited' && (await this.completeUpload(file).catch(() => undefined));
        if (file.stage === 'awaited' && !hasArrived) await this.remove(file.tenantId, [file.id]);
        else if (file.stage === 'removed') await this.deleteContent(file);
      }
      if (due.length < sweepBatchSize) return;
    }
  }

  private async deleteContent(file: StoredFile): Promise<void> {
    const { tenantId, key, upload, thumbnail } = file;
    // A backup that runs may contain the row from before its removal.
    if (await this.rows.isBackupRunning()) return this.rows.postpone(file);
    try {
      const store = await this.stores.find(tenantId, file.store);
      if (upload) await store.abortUpload({ key, name: upload });
      if (thumbnail) await store.remove(thumbnail);
      await store.remove(key);
      await this.rows.deleteRow(file);
    } catch {
      // The store is unavailable: the hidden row remains, and a later sweep tries again.
      await this.rows.postpone(file);
    }
  }
}
