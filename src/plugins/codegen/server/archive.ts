import { ZipFile } from 'yazl';
import type { EmittedFile } from './emit/plan.ts';

/** Packs files into an archive; paths are relative, and equal files yield equal bytes. */
export async function archiveOf(files: readonly EmittedFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, text } of files) zip.addBuffer(Buffer.from(text), path, { mtime: new Date(2026, 0, 1) });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
