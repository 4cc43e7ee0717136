import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, problems } from '#shared/errors';
import { fileProblems } from '#shared/files';
import { type ByteRange, ObjectStore, type PartedUpload, partBytes } from './object-store.ts';

/** Files in a folder of this machine, spread over 256 subfolders by the beginning of their keys. Parts are written to their offsets in one unfinished file. */
export class DiskStore extends ObjectStore {
  constructor(private readonly directory: string) {
    super();
  }

  async put(key: string, content: Readable): Promise<void> {
    const path = this.pathOf(key);
    try {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(content, createWriteStream(unfinished(path), { mode: 0o600 }));
      await rename(unfinished(path), path);
    } catch (error) {
      await rm(unfinished(path), { force: true });
      throw readable(error);
    }
  }

  async open(key: string, part?: ByteRange): Promise<Readable> {
    try {
      return (await open(this.pathOf(key))).createReadStream(part);
    } catch (error) {
      throw readable(error);
    }
  }

  async size(key: string): Promise<number | undefined> {
    return (await stat(this.pathOf(key)).catch(() => undefined))?.size;
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
    await rm(unfinished(this.pathOf(key)), { force: true });
  }

  async begin(key: string): Promise<string> {
    try {
      await mkdir(dirname(this.pathOf(key)), { recursive: true });
      await (await open(unfinished(this.pathOf(key)), 'w', 0o600)).close();
    } catch (error) {
      throw readable(error);
    }
    return key;
  }

  async putPart({ key }: PartedUpload, number: number, content: Uint8Array): Promise<string> {
    const file = await open(unfinished(this.pathOf(key)), 'r+').catch((error) => {
      throw readable(error);
    });
    try {
      for (let written = 0; written < content.length; ) {
        written += (await file.write(content, written, content.length - written, (number - 1) * partBytes + written)).bytesWritten;
      }
    } catch (error) {
      throw readable(error);
    } finally {
      await file.close();
    }
    return String(content.length);
  }

  async join({ key }: PartedUpload): Promise<void> {
    await rename(unfinished(this.pathOf(key)), this.pathOf(key)).catch((error) => {
      throw readable(error);
    });
  }

  async abandon({ key }: PartedUpload): Promise<void> {
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

/** Translates a system error into a message for users. */
function readable(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new ApiError(problems.notFound, {}, { cause: error });
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ApiError(fileProblems.storeFull, {}, { cause: error });
  return error;
}
