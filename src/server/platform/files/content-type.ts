import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { ApiError } from '#shared/errors';
import { fileProblems } from '#shared/files';

/** Content type detected from the first bytes of a file. */
export interface ContentType {
  readonly type: string;
  /** File extension without the dot; '' if unknown. */
  readonly ext: string;
}

/** Number of bytes needed to detect a content type. */
export const sampledBytes = 4100;

/** Detects the content type from the first bytes, independently of any declared type. */
export async function contentTypeOf(sample: Uint8Array): Promise<ContentType> {
  const detectedType = await fileTypeFromBuffer(sample);
  if (detectedType) return { type: detectedType.mime, ext: detectedType.ext };
  return isText(sample) ? { type: 'text/plain', ext: 'txt' } : { type: 'application/octet-stream', ext: '' };
}

/** Reads the first bytes of a stream, and returns them with the complete stream. */
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

/** Tests for UTF-8 text; the sample may end within a character. */
function isText(sample: Uint8Array): boolean {
  if (sample.length === 0 || sample.includes(0)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}

/** Image types that browsers render and that cannot run scripts. */
export const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** Declared types accepted for a detected type: kinds of text, and old office files that are only detected as a container. */
const compatibleTypes: Readonly<Record<string, RegExp>> = {
  'text/plain': /^(text\/|application\/(json|xml|csv|javascript|x-ndjson|sql|yaml))/,
  'application/xml': /xml/,
  'application/x-cfb': /^application\/(msword|vnd\.ms-|vnd\.visio)/,
  'application/zip': /zip|^application\/vnd\.openxmlformats/,
};

/** Tests whether a declared type is acceptable for the detected one; '' declares nothing. */
export function matchesDeclaredType(declaredType: string, found: string): boolean {
  const [type = ''] = declaredType.toLowerCase().split(';');
  if (type === '' || type === 'application/octet-stream' || type === found) return true;
  if (/^(audio|video)\//.test(type)) return type.split('/')[0] === found.split('/')[0];
  return compatibleTypes[found]?.test(type) ?? false;
}

/** Expectations that content must meet. */
export interface ExpectedContent {
  readonly isPublic?: boolean | undefined;
  /** Declared content type; '' if none. */
  readonly type?: string;
}

/** Detects the content type by the first bytes; throws for empty content, for a public file that is no image, and for a type other than the declared one. */
export async function detectAndValidateType(sample: Uint8Array, { isPublic = false, type: declaredType = '' }: ExpectedContent): Promise<string> {
  if (sample.length === 0) throw new ApiError(fileProblems.empty);
  const { type } = await contentTypeOf(sample);
  if (isPublic && !imageTypes.has(type)) throw new ApiError(fileProblems.publicImagesOnly);
  if (!matchesDeclaredType(declaredType, type)) throw new ApiError(fileProblems.otherType, { declared: declaredType, found: type });
  return type;
}

/** Reads the whole of a short stream. */
export async function readAll(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
