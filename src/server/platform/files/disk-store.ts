import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, problems } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { type ByteRange, type MultipartUpload, ObjectStore, partBytes } from './object-store.ts';

/** Files in a folder of this machine, spread over 256 subfolders by the beginning of their keys. Parts are written to their offsets in one unfinished file. */
export class DiskStore extends ObjectStore {
  constructor(private readonly directory: string) {
    super();
  }

  async put(key: string, content: Readable): Promise<void> {
    const path = this.pathOf(key);
    await translated(async () => {
      try {
        await mkdir(dirname(path), { recursive: true });
        await pipeline(content, createWriteStream(unfinished(path), { mode: 0o600 }));
        await rename(unfinished(path), path);
      } catch (error) {
        await rm(unfinished(path), { force: true });
        throw error;
      }
    });
  }

  async open(key: string, part?: ByteRange): Promise<Readable> {
    return translated(async () => (await open(this.pathOf(key))).createReadStream(part));
  }

  async size(key: string): Promise<number | undefined> {
    return (await stat(this.pathOf(key)).catch(() => undefined))?.size;
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    await rm(unfinished(this.pathOf(key)), { force: true });
  }

  async createUpload(key: string): Promise<string> {
    return translated(async () => {
      await mkdir(dirname(this.pathOf(key)), { recursive: true });
      await (await open(unfinished(this.pathOf(key)), 'w', 0o600)).close();
      return key;
    });
  }

  async putPart({ key }: MultipartUpload, number: number, content: Uint8Array): Promise<string> {
    return translated(async () => {
      const file = await open(unfinished(this.pathOf(key)), 'r+');
      try {
        for (let written = 0; written < content.length; ) {
          written += (await file.write(content, written, content.length - written, (number - 1) * partBytes + written)).bytesWritten;
        }
      } finally {
        await file.close();
      }
      return String(content.length);
    });
  }

  async completeUpload({ key }: MultipartUpload): Promise<void> {
    await translated(() => rename(unfinished(this.pathOf(key)), this.pathOf(key)));
  }

  async abortUpload({ key }: MultipartUpload): Promise<void> {
    await rm(unfinished(this.pathOf(key)), { force: true });
  }

  async signedPost(): Promise<undefined> {
    return undefined;
  }

  private pathOf(key: string): string {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error('Invalid file key.');
    return join(this.directory, key.slice(0, 2), key);
  }
}

const unfinished = (path: string) => `${path}.part`;

/** Runs work on files and translates system errors into messages for users. */
async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ApiError(problems.notFound, {}, { cause: error });
    throw code === 'ENOSPC' || code === 'EDQUOT' ? new ApiError(fileProblems.storeFull, {}, { cause: error }) : error;
  }
}
