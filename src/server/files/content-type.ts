import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';

/** What the first bytes say of a file. */
export interface ContentType {
  readonly type: string;
  /** Without the dot; '' for what is not known. */
  readonly ext: string;
}

/** So many bytes tell what a file is. */
export const sampledBytes = 4100;

/** What a file is by its first bytes; nobody's word is taken for it. */
export async function contentTypeOf(sample: Uint8Array): Promise<ContentType> {
  const known = await fileTypeFromBuffer(sample);
  if (known) return { type: known.mime, ext: known.ext };
  return isText(sample) ? { type: 'text/plain', ext: 'txt' } : { type: 'application/octet-stream', ext: '' };
}

/** The first bytes of a stream, and the same stream from its beginning. */
export async function sampleOf(content: Readable): Promise<{ sample: Buffer; whole: Readable }> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first: Buffer[] = [];
  let length = 0;
  while (length < sampledBytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const rest = async function* () {
    yield* first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  return { sample: Buffer.concat(first).subarray(0, sampledBytes), whole: Readable.from(rest(), { objectMode: false }) };
}

/** The sample may end in the middle of a character. */
function isText(sample: Uint8Array): boolean {
  if (sample.length === 0 || sample.includes(0)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}

/** Images a browser draws and that run nothing. */
export const drawnTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** What text may be called, and what files of the kinds of old offices are by their first bytes. */
const looser: Readonly<Record<string, RegExp>> = {
  'text/plain': /^(text\/|application\/(json|xml|csv|javascript|x-ndjson|sql|yaml))/,
  'application/xml': /xml/,
  'application/x-cfb': /^application\/(msword|vnd\.ms-|vnd\.visio)/,
  'application/zip': /zip|^application\/vnd\.openxmlformats/,
};

/** Whether content of the type found may stand under the type its sender said; '' says nothing. */
export function keepsPromise(said: string, found: string): boolean {
  const [type = ''] = said.toLowerCase().split(';');
  if (type === '' || type === 'application/octet-stream' || type === found) return true;
  if (/^(audio|video)\//.test(type)) return type.split('/')[0] === found.split('/')[0];
  return looser[found]?.test(type) ?? false;
}
