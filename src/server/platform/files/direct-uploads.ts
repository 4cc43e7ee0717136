import type { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { fileProblems } from '#shared/files';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { sanitizeFilename, withByteLimit } from './byte-limit.ts';
import { detectAndValidateType, readAll, sampledBytes, sampleOf } from './content-type.ts';
import type { FilePlacement, FileRows, StoredFile } from './file-rows.ts';
import { type Files, newKey } from './files.ts';
import { type ObjectStore, type Part, partBytes, type SignedPost } from './object-store.ts';
import type { Signatures } from './signatures.ts';
import type { Stores } from './stores.ts';

/** Minutes for which an address is valid. */
const validMinutes = 10;
/** Hours until an awaited file is removed; longer than the address is valid, so that late uploads are still checked. */
const hoursToArrive = 1;

/** A file for which an address is signed. */
export interface DirectFile {
  readonly name: string;
  /** Declared content type; '' for any. */
  readonly type: string;
  /** Maximum number of bytes. */
  readonly max: number;
}

/** A signed address with the fields that must be sent along. */
export interface SignedFile extends SignedPost {
  readonly file: StoredFile;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Fields sent to an address of this server, beside the content. */
interface SentPost {
  readonly key: string;
  readonly expires: string;
  readonly signature: string;
}

/**
 * Uploads to a signed address: the store's own if it has one, otherwise this server's. Each address is valid for one key, one type, a maximum size, some minutes and
 * one file.
 */
export class DirectUploads {
  constructor(
    private readonly rows: FileRows,
    private readonly files: Files,
    private readonly signatures: Signatures,
    /** Address of this server, for stores without their own. */
    private readonly ownUrl: string,
  ) {}

  /** Signs an address; the maximum size is reserved until the file has arrived or the time is over. */
  async sign({ name, type, max: maxBytes }: DirectFile, placement: FilePlacement): Promise<SignedFile> {
    const { stores } = this.files;
    const [key, store] = [newKey(), await stores.nameFor(placement.tenantId)];
    const pending = { key, store, name: sanitizeFilename(name), type, size: maxBytes, stage: 'awaited', hours: hoursToArrive } as const;
    const signed = await (await stores.find(placement.tenantId, store)).signedPost(key, { type, maxBytes, seconds: validMinutes * 60 });
    const file = await this.rows.insertPending(pending, placement);
    const expires = Math.floor(Date.now() / 1000) + validMinutes * 60;
    const own = { url: this.ownUrl, fields: { key, expires: String(expires), signature: this.signatures.sign(signedText(key), expires) } };
    return { file, expires, ...(signed ?? own) };
  }

  /** Receives the file of an address of this server. An interrupted upload may be repeated while the address is valid. */
  async receive({ key, expires, signature }: SentPost, content: Readable): Promise<StoredFile> {
    if (!this.signatures.isValid(signedText(key), Number(expires), signature)) throw new ApiError(fileProblems.expired);
    const file = await this.rows.ofAnyTenant(key);
    if (file?.stage !== 'awaited' || !(await this.rows.move(file, 'awaited', 'writing'))) throw new ApiError(fileProblems.expired);
    try {
      const { sample, whole } = await sampleOf(content);
      const type = await detectAndValidateType(sample, file);
      const counter = withByteLimit(whole, file.size);
      await (await this.files.stores.find(file.tenantId, file.store)).put(key, counter.content);
      return await this.rows.finish(file, { size: counter.bytes(), type });
    } catch (error) {
      await this.rows.move(file, 'writing', 'awaited');
      throw error;
    }
  }
}

/** Prefixes the signed text, so that a link for downloading is never valid for uploading. */
const signedText = (key: string) => `upload ${key}`;

const hoursForParts = 24;

/** A file to be uploaded in parts. */
interface PartedFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Last modification of the user's copy, in milliseconds. */
  readonly modified: number;
}

/** Progress of an upload in parts. */
interface UploadProgress {
  readonly id: string;
  /** Bytes of each part but the last. */
  readonly partSize: number;
  readonly parts: number;
  /** Numbers of the parts that have arrived. */
  readonly arrived: number[];
}

/** Large files uploaded in parts: after an interruption, parts that have arrived need not be sent again. */
export class MultipartUploads {
  constructor(
    private readonly db: Database,
    private readonly rows: FileRows,
    private readonly stores: Stores,
  ) {}

  /** Begins an upload, or resumes an interrupted one of the same file by the same user. The size is reserved until it completes. */
  async begin({ name, size, modified }: PartedFile, placement: FilePlacement): Promise<UploadProgress> {
    const { tenantId, userId, isPublic = false } = placement;
    const sanitizedName = sanitizeFilename(name);
    const isSameFile = sql`owner_id = ${userId} and name = ${sanitizedName} and size = ${size} and modified = ${modified} and is_public = ${isPublic}`;
    const [interrupted] = await this.rows.select(tenantId, isSameFile, 'parts');
    if (interrupted) return this.arrived(interrupted);
    const [key, store] = [newKey(), await this.stores.nameFor(tenantId)];
    const upload = await (await this.stores.find(tenantId, store)).createUpload(key);
    const pending = { key, store, name: sanitizedName, type: '', size, stage: 'parts', hours: hoursForParts, upload, modified } as const;
    const file = await this.rows.insertPending(pending, placement).catch(async (error) => {
      await (await this.stores.find(tenantId, store)).abortUpload({ key, name: upload });
      throw error;
    });
    return this.arrived(file);
  }

  async progress(tenantId: string, userId: string, id: string): Promise<UploadProgress> {
    return this.arrived(await this.own(tenantId, userId, id));
  }

  /** Stores one part; throws if its length is wrong. */
  async put({ tenantId, userId, id, number }: { tenantId: string; userId: string; id: string; number: number }, content: Uint8Array): Promise<UploadProgress> {
    const file = await this.own(tenantId, userId, id);
    if (number > partsOf(file) || content.length !== sizeOfPart(file, number)) throw new ApiError(fileProblems.wrongPart, { number });
    const store = await this.stores.find(tenantId, file.store);
    const tag = await store.putPart({ key: file.key, name: file.upload ?? '' }, number, content);
    await this.db.write({ tenantId }, async () => {
      await queryRows(
        this.db,
        sql`insert into stored_part (file_id, number, size, tag) values (${id}, ${number}, ${content.length}, ${tag})
            on conflict (tenant_id, file_id, number) do update set size = excluded.size, tag = excluded.tag`,
      );
      await queryRows(this.db, sql`update stored_file set expires_at = now() + make_interval(hours => ${hoursForParts}) where id = ${id} and stage = 'parts'`);
    });
    return this.arrived(file);
  }

  /** Joins all parts into the file. Repeated calls return the same result. */
  async complete(tenantId: string, userId: string, id: string): Promise<StoredFile> {
    const [done] = await this.rows.select(tenantId, sql`id = ${id} and owner_id = ${userId} and modified is not null`);
    if (done) return done;
    const file = await this.own(tenantId, userId, id);
    const parts = await this.storedParts(file);
    if (parts.length !== partsOf(file)) throw new ApiError(fileProblems.partsMissing);
    if (!(await this.rows.move(file, 'parts', 'writing'))) throw new ApiError(problems.conflict);
    const store = await this.stores.find(tenantId, file.store);
    try {
      await completeUpload(store, file, parts);
      const sample = await readAll(await store.open(file.key, { start: 0, end: Math.min(file.size, sampledBytes) - 1 }));
      return await this.rows.finish(file, { size: file.size, type: await detectAndValidateType(sample, file) });
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) await this.rows.remove(tenantId, [id]);
      else await this.rows.move(file, 'writing', 'parts');
      throw error;
    }
  }

  private async own(tenantId: string, userId: string, id: string): Promise<StoredFile> {
    const [file] = await this.rows.select(tenantId, sql`id = ${id} and owner_id = ${userId}`, 'parts');
    if (!file) throw new ApiError(problems.notFound);
    return file;
  }

  private async arrived(file: StoredFile): Promise<UploadProgress> {
    const arrived = (await this.storedParts(file)).map(({ number }) => number);
    return { id: file.id, partSize: partBytes, parts: partsOf(file), arrived };
  }

  private storedParts({ tenantId, id }: StoredFile): Promise<Part[]> {
    return this.db.read({ tenantId }, () => queryRows<Part>(this.db, sql`select number, tag from stored_part where file_id = ${id} order by number`));
  }
}

/** Joins the parts unless a previous attempt whose response was lost has already done so. */
async function completeUpload(store: ObjectStore, { key, upload, size }: StoredFile, parts: readonly Part[]): Promise<void> {
  if ((await store.size(key)) !== size) await store.completeUpload({ key, name: upload ?? '' }, parts);
  if ((await store.size(key)) !== size) throw new ApiError(fileProblems.partsMissing);
}

const partsOf = ({ size }: Pick<StoredFile, 'size'>) => Math.ceil(size / partBytes);
const sizeOfPart = (file: StoredFile, number: number) => Math.min(partBytes, file.size - (number - 1) * partBytes);
