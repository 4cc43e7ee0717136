import type { Readable } from 'node:stream';
import { ApiError } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { contentTypeOf, drawnTypes, matchesDeclaredType } from './content-type.ts';

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
  if (isPublic && !drawnTypes.has(type)) throw new ApiError(fileProblems.publicImagesOnly);
  if (!matchesDeclaredType(declaredType, type)) throw new ApiError(fileProblems.otherType, { said: declaredType, found: type });
  return type;
}

/** Reads the whole of a short stream. */
export async function readAll(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
