import { createHash } from 'node:crypto';

const blockBytes = 512;
/** Sizes from here on do not fit the eleven octal digits of a header. */
const largeSize = 8 ** 11;

const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

/** Error for an archive that cannot be read to its end. */
export class DamagedArchiveError extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(`The archive is damaged or incomplete: ${detail}.`, options);
  }
}

/** Yields the bytes of one file of a tar archive; throws if the content does not have the given size. */
export async function* tarEntry(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield headerOf(name, size);
  let written = 0;
  for await (const chunk of content) {
    written += chunk.length;
    if (written > size) break;
    yield chunk;
  }
  if (written !== size) throw new Error(`${name} changed while it was read.`);
  if (paddingOf(size) > 0) yield new Uint8Array(paddingOf(size));
}

/** The end of a tar archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

function headerOf(name: string, size: number): Uint8Array {
  const header = Buffer.alloc(blockBytes);
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive.`);
  const octal = (value: number, offset: number, digits: number) => header.write(`${value.toString(8).padStart(digits, '0')}\0`, offset);
  header.write(name, 0);
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  if (size < largeSize) octal(size, 124, 11);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(Math.floor(Date.now() / 1000), 136, 11);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  octal(checksumOf(header), 148, 6);
  header[155] = 0x20;
  return header;
}

/** Sums the bytes of a header, whose checksum counts as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let index = 0; index < blockBytes; index++) sum += index >= 148 && index < 156 ? 0x20 : (header[index] ?? 0);
  return sum;
}

/** A file of an archive; its content must be read before the next one. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** SHA-256 of all bytes of the archive before this file. */
  readonly digestBefore: string;
  content(): AsyncGenerator<Buffer>;
}

/** Reads the files of a tar archive in order, without holding more than a chunk; throws `DamagedArchiveError`. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(source);
  for (;;) {
    const digestBefore = reader.digest();
    const header = await reader.read(blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = parseHeader(header);
    let left = size;
    async function* content() {
      while (left > 0) {
        const chunk = await reader.next(left);
        left -= chunk.length;
        yield chunk;
      }
    }
    yield { name, size, digestBefore, content };
    // Content that the caller has not read belongs to the digest too.
    for await (const _ of content());
    await reader.read(paddingOf(size));
  }
  await reader.drain();
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (offset: number, length: number) => header.toString('utf8', offset, offset + length).replace(/\0.*$/s, '');
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header)) throw new DamagedArchiveError('a header is not valid');
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  return { name: text(0, 100), size };
}

/** Reads a stream in pieces of given sizes and digests what has been read. */
class ByteReader {
  private readonly source: AsyncIterator<Uint8Array>;
  private readonly hash = createHash('sha256');
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  digest(): string {
    return this.hash.copy().digest('hex');
  }

  /** Reads exactly this number of bytes. */
  async read(size: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (let left = size; left > 0; ) {
      const chunk = await this.next(left);
      chunks.push(chunk);
      left -= chunk.length;
    }
    return Buffer.concat(chunks);
  }

  /** Reads at least one byte and at most this number. */
  async next(maximum: number): Promise<Buffer> {
    if (this.rest.length === 0) this.rest = (await this.pull()) ?? Buffer.alloc(0);
    if (this.rest.length === 0) throw new DamagedArchiveError('it ends too early');
    const chunk = this.rest.subarray(0, maximum);
    this.rest = this.rest.subarray(chunk.length);
    this.hash.update(chunk);
    return chunk;
  }

  /** Reads to the end, where the compression has its own checksum. */
  async drain(): Promise<void> {
    while (await this.pull());
  }

  private async pull(): Promise<Buffer | undefined> {
    try {
      for (;;) {
        const { done, value } = await this.source.next();
        if (done) return undefined;
        if (value.length > 0) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw code.startsWith('Z_') ? new DamagedArchiveError(message, { cause: error }) : error;
    }
  }
}
