import type { Readable } from 'node:stream';

/** Splits content into chunks of one size; the last can be shorter. */
export async function* inChunks(content: Readable, bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    waiting.push(piece as Buffer);
    length += (piece as Buffer).length;
    while (length >= bytes) {
      const whole = Buffer.concat(waiting);
      yield whole.subarray(0, bytes);
      waiting = [whole.subarray(bytes)];
      length -= bytes;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
  return undefined;
}
