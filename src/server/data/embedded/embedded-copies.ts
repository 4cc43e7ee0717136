import { constants } from 'node:fs';
import { cp, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TaskQueue } from '#shared/task-queue';
import { connectToOwner } from './directory-lock.ts';

/** Topic of the signal that a process sends when it has finished a backup of the embedded database. */
export const backupFinished = 'database:backup-finished';

/** Requests of a backup to the server that has the embedded database open. */
const requests = { copy: 'copy', finished: 'finished', release: 'release' } as const;

interface CopyReply {
  readonly problem?: string;
}

/** Free space that a copy leaves on the disk, because the database itself stops without any. */
const spareBytes = 64 * 1024 * 1024;

const folderOf = (directory: string) => join(directory, 'copy');

/** Copies the files of an embedded database for a backup in another process, while no other work runs. A copy exists as long as the connection of that process. */
export class EmbeddedCopies {
  private readonly callers = new Set<Socket>();
  private readonly queue = new TaskQueue();
  private copying: Socket | undefined;
  private source: ((copy: () => Promise<void>) => Promise<void>) | undefined;
  private finished: () => void = () => undefined;

  /** `onLine` receives each line of another process. It returns false for a line that it does not answer, which is then answered here. */
  constructor(
    private readonly directory: string,
    private readonly onLine: (caller: Socket, line: string) => boolean = () => false,
  ) {}

  /** True from before a copy is made until the backup that reads it ends. */
  get isRunning(): boolean {
    return this.copying !== undefined;
  }

  /** Sets the function that runs a copy while nothing writes to the files. */
  setSource(source: (copy: () => Promise<void>) => Promise<void>): void {
    this.source = source;
  }

  onFinished(listener: () => void): void {
    this.finished = listener;
  }

  /** Removes the copy of a server that was killed. */
  clear(): Promise<void> {
    return rm(folderOf(this.directory), { recursive: true, force: true });
  }

  /** Answers the requests of one connection; most connections only test whether this process is running. */
  serve(caller: Socket): void {
    this.callers.add(caller);
    caller.unref();
    caller.on('error', () => undefined);
    caller.once('close', () => {
      this.callers.delete(caller);
      if (this.copying === caller) void this.queue.run(() => this.discard());
    });
    createInterface({ input: caller }).on('line', (line) => {
      if (!this.onLine(caller, line)) void this.answer(caller, line);
    });
  }

  async close(): Promise<void> {
    for (const caller of this.callers) caller.destroy();
    await this.queue.run(() => this.discard());
  }

  private async discard(): Promise<void> {
    // An open file cannot be removed on every system; the next start removes it.
    await this.clear().catch(() => undefined);
    this.copying = undefined;
  }

  private async answer(caller: Socket, line: string): Promise<void> {
    const reply: CopyReply = line === requests.copy ? await this.queue.run(() => this.copyFor(caller)) : {};
    if (this.copying === caller && line === requests.finished) this.finished();
    if (this.copying === caller && line === requests.release) await this.queue.run(() => this.discard());
    caller.write(`${JSON.stringify(reply)}\n`);
  }

  private async copyFor(caller: Socket): Promise<CopyReply> {
    if (caller.destroyed) return {};
    if (this.copying) return { problem: 'Another backup of this database is running. Wait until it has finished.' };
    if (!this.source) return { problem: 'The server is still starting. Repeat the backup in a moment.' };
    this.copying = caller;
    try {
      await this.source(() => copyFiles(join(this.directory, 'postgres'), folderOf(this.directory)));
      return {};
    } catch (error) {
      await this.discard();
      return { problem: `The database could not be copied: ${(error as Error).message}` };
    }
  }
}

async function copyFiles(from: string, folder: string): Promise<void> {
  const names = await readdir(from, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(from, name))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, spareBytes);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize, blocks } = await statfs(folder);
  if (blocks > 0 && bavail * bsize < bytes) throw new Error(`the disk of ${folder} is full. It needs ${Math.ceil(bytes / 1024 / 1024)} MB of free space.`);
  await cp(from, join(folder, 'postgres'), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

/** A copy of the embedded database of a running server. */
export interface EmbeddedCopy {
  /** Directory to open; it disappears with the server. */
  readonly directory: string;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  /** Notifies the server that the backup has been made. */
  finish(): Promise<void>;
  /** Resolves when the server has removed the copy, or is gone. */
  release(): Promise<void>;
}

/** Asks the server that has an embedded database open for a copy; undefined if none answers. Throws if it makes no copy. */
export async function requestCopy(directory: string): Promise<EmbeddedCopy | undefined> {
  const socket = await connectToOwner(directory);
  if (!socket) return undefined;
  const stopping = new AbortController();
  const replies = createInterface({ input: socket });
  const stopped = new Error('The server stopped during the backup. Repeat it.');
  const abort = () => stopping.abort(stopped);
  socket.on('error', () => undefined).once('close', abort);
  const ask = (request: string) =>
    new Promise<CopyReply>((resolve, reject) => {
      replies.once('line', (line) => resolve(JSON.parse(line) as CopyReply));
      stopping.signal.addEventListener('abort', () => reject(stopped), { once: true });
      if (stopping.signal.aborted) reject(stopped);
      else socket.write(`${request}\n`);
    });
  const { problem } = await ask(requests.copy);
  if (problem !== undefined) {
    socket.destroy();
    throw new Error(problem);
  }
  return {
    directory: folderOf(directory),
    signal: stopping.signal,
    finish: async () => void (await ask(requests.finished)),
    release: async () => {
      await ask(requests.release).catch(() => undefined);
      socket.off('close', abort).destroy();
    },
  };
}
