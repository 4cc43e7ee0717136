import type { Readable } from 'node:stream';
import { ApiError } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { sanitizeFilename, withByteLimit } from './byte-limit.ts';
import { detectAndValidateType, sampleOf } from './content-type.ts';
import type { FilePlacement, FileRows, StoredFile } from './file-rows.ts';
import { type Files, newKey } from './files.ts';
import type { SignedPost } from './object-store.ts';
import type { Signatures } from './signatures.ts';

/** Minutes for which an address is valid. */
const minutes = 10;
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
    const signed = await (await stores.find(placement.tenantId, store)).signedPost(key, { type, maxBytes: maxBytes, seconds: minutes * 60 });
    const file = await this.rows.insertPending(pending, placement);
    const expires = Math.floor(Date.now() / 1000) + minutes * 60;
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
