import type { Readable } from 'node:stream';
import { Refusal } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { contentTypeOf, drawnTypes, keepsPromise } from './content-type.ts';

/** What content must be beyond what it is. */
export interface Promised {
  readonly isPublic?: boolean | undefined;
  /** The type its sender said; '' where nothing was said. */
  readonly type?: string;
}

/** The type of content by its first bytes; refuses what is empty, no image though it is to be public, or not what was said of it. */
export async function judgedType(sample: Uint8Array, { isPublic = false, type: said = '' }: Promised): Promise<string> {
  if (sample.length === 0) throw new Refusal(fileProblems.empty);
  const { type } = await contentTypeOf(sample);
  if (isPublic && !drawnTypes.has(type)) throw new Refusal(fileProblems.publicImagesOnly);
  if (!keepsPromise(said, type)) throw new Refusal(fileProblems.otherType, { said, found: type });
  return type;
}

/** All of a stream that is known to be short. */
export async function wholeOf(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
