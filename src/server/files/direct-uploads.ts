import type { Readable } from 'node:stream';
import { Refusal } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { judgedType } from './content-check.ts';
import { sampleOf } from './content-type.ts';
import { cleanName, counted } from './counted.ts';
import type { FileRows, Keeping, StoredFile } from './file-rows.ts';
import { type Files, newKey } from './files.ts';
import type { SignedPost } from './object-store.ts';
import type { Signatures } from './signatures.ts';

/** How long an address is good. */
const minutes = 10;
/** Longer than the address, so that what came at the last moment is still judged. */
const hoursToArrive = 1;

/** What an address is to be signed for. */
export interface DirectFile {
  readonly name: string;
  /** The type its sender says; '' for any. */
  readonly type: string;
  /** Bytes at most. */
  readonly most: number;
}

/** An address with what must be sent to it. */
export interface SignedFile extends SignedPost {
  readonly file: StoredFile;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** What is sent to an address of this server, beside the content. */
interface SentPost {
  readonly key: string;
  readonly expires: string;
  readonly signature: string;
}

/** Uploads to a signed address: the store's own where it has one, else this server's. Each address is good for one key, one type, a size and some minutes, and for one file. */
export class DirectUploads {
  constructor(
    private readonly rows: FileRows,
    private readonly files: Files,
    private readonly signatures: Signatures,
    /** Of this server, for stores without an address of their own. */
    private readonly ownUrl: string,
  ) {}

  /** The size is reserved until the file has come or the time is over. */
  async sign({ name, type, most }: DirectFile, keeping: Keeping): Promise<SignedFile> {
    const { stores } = this.files;
    const [key, store] = [newKey(), await stores.nameFor(keeping.tenantId)];
    const coming = { key, store, name: cleanName(name), type, size: most, stage: 'awaited', hours: hoursToArrive } as const;
    const signed = await (await stores.find(keeping.tenantId, store)).signedPost(key, { type, most, seconds: minutes * 60 });
    const file = await this.rows.announce(coming, keeping);
    const expires = Math.floor(Date.now() / 1000) + minutes * 60;
    const own = { url: this.ownUrl, fields: { key, expires: String(expires), signature: this.signatures.sign(named(key), expires) } };
    return { file, expires, ...(signed ?? own) };
  }

  /** Takes the one file an address of this server is good for. What breaks off may be sent again while the time lasts. */
  async take({ key, expires, signature }: SentPost, content: Readable): Promise<StoredFile> {
    if (!this.signatures.holds(named(key), Number(expires), signature)) throw new Refusal(fileProblems.expired);
    const file = await this.rows.ofAnyTenant(key);
    if (file?.stage !== 'awaited' || !(await this.rows.move(file, 'awaited', 'writing'))) throw new Refusal(fileProblems.expired);
    try {
      const { sample, whole } = await sampleOf(content);
      const type = await judgedType(sample, file);
      const counter = counted(whole, file.size);
      await (await this.files.stores.find(file.tenantId, file.store)).put(key, counter.content);
      return await this.rows.finish(file, { size: counter.bytes(), type });
    } catch (error) {
      await this.rows.move(file, 'writing', 'awaited');
      throw error;
    }
  }
}

/** What is signed, so that no link to a file is an address to send one to. */
const named = (key: string) => `upload ${key}`;
