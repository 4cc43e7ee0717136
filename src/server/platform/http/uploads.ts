import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, problems } from '#shared/errors';
import type { App } from './app.ts';
import type { SentFile, Upload } from './route.ts';

/** Maximum number of bytes any call accepts in an upload. */
export const maxUploadBytes = 100 * 1024 * 1024;

/** Accepts `multipart/form-data` for the calls within this `App`; all others still reject it. */
export async function acceptUploads(app: App): Promise<void> {
  await app.register(multipart, { limits: { files: 1, fields: 20, parts: 21, fieldSize: 100_000, fieldNameSize: 100, fileSize: maxUploadBytes } });
}

/** Returns the single file of a request and the fields sent before it. */
export async function uploadOf(request: FastifyRequest): Promise<{ upload: Upload; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new ApiError(problems.unsupportedMediaType);
  const part = await request.file();
  if (part?.fieldname !== 'file') {
    part?.file.resume();
    throw new ApiError(problems.missingParameter, { name: 'file' });
  }
  const fields: Record<string, string> = Object.create(null);
  for (const [name, field] of Object.entries(part.fields)) {
    if (field && !Array.isArray(field) && field.type === 'field' && typeof field.value === 'string') fields[name] = field.value;
  }
  return { upload: { name: part.filename, content: part.file }, fields };
}

/** Sends a file or the requested range, with headers that stop browsers from rendering or running it. */
export function sendFile(reply: FastifyReply, { name, type, size, isPublic, part, content }: SentFile): FastifyReply {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  return reply
    .type(type)
    .header('content-length', part ? part.end - part.start + 1 : size)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', isPublic ? 'public, max-age=31536000, immutable' : 'private, no-store')
    .send(content);
}

/** Returns the range of a `Range` header; undefined, for the whole file, if the header is absent, has several ranges or none that exists. */
export function rangeOf(header: string, size: number): { readonly start: number; readonly end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end && start < size ? { start, end } : undefined;
}
