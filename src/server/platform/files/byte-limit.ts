import { Readable } from 'node:stream';
import { ApiError } from '#shared/errors';
import { fileProblems } from '#shared/files';

/** Bytes of one megabyte. */
export const megabyte = 1024 * 1024;

/** Counts the bytes of a stream as it passes; throws beyond `limit`. */
export function withByteLimit(content: Readable, limit = Number.POSITIVE_INFINITY): { content: Readable; bytes(): number } {
  let bytes = 0;
  const pass = async function* () {
    for await (const chunk of content) {
      bytes += (chunk as Buffer).length;
      if (bytes > limit) throw new ApiError(fileProblems.tooLarge, { megabytes: Math.floor(limit / megabyte) });
      yield chunk;
    }
  };
  return { content: Readable.from(pass(), { objectMode: false }), bytes: () => bytes };
}

const maxNameLength = 200;

/** Sanitizes a user's file name: no folders or control characters, and the extension survives shortening. */
export function sanitizeFilename(name: string): string {
  const last = name.replace(/[\s\S]*[/\\]/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the expression removes
  const clean = last.replace(/[\u0000-\u001f\u007f\u2028\u2029"<>|:*?]/g, '_').trim();
  if (clean === '' || /^\.+$/.test(clean)) return 'file';
  const letters = [...clean];
  if (letters.length <= maxNameLength) return clean;
  const ending = /\.\w{1,8}$/.exec(clean)?.[0] ?? '';
  return letters.slice(0, maxNameLength - ending.length).join('') + ending;
}
