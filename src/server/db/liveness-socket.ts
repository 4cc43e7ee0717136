import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** A local socket that answers as long as this process lives, however it ends: the operating system closes it. */
export interface LivenessSocket {
  /** The name under which other processes find it in the same directory. */
  readonly name: string;
  close(): Promise<void>;
}

const form = /^marquee\.[0-9a-f-]{36}\.sock$/;
/** Codes with which connecting fails when no process listens any more; any other failure proves nothing. */
const deadCodes: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']);

/** Listens in a directory; undefined where its file system has no sockets. */
export async function openLivenessSocket(directory: string): Promise<LivenessSocket | undefined> {
  const name = `marquee.${randomUUID()}.sock`;
  const server = createServer((caller) => caller.destroy());
  const isOpen = await withAddress(directory, name, (address) => {
    return new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(address, () => resolve(true));
    });
  });
  if (!isOpen) return undefined;
  server.unref();
  return {
    name,
    close: async () => {
      await new Promise((closed) => server.close(closed));
      await removeLivenessSocket(directory, name);
    },
  };
}

/** True while the process that opened this socket lives. */
export function isAnswered(directory: string, name: string): Promise<boolean> {
  if (!form.test(name)) return Promise.resolve(false);
  return withAddress(directory, name, (address) => {
    return new Promise((resolve) => {
      const call = connect(address, () => {
        call.destroy();
        resolve(true);
      });
      call.once('error', (error: NodeJS.ErrnoException) => resolve(!deadCodes.has(error.code)));
    });
  });
}

/** Removes what a dead process has left in the directory. */
export async function removeLivenessSocket(directory: string, name: string): Promise<void> {
  if (process.platform !== 'win32' && form.test(name)) await rm(join(directory, name), { force: true });
}

/** An address of a socket may have about a hundred bytes; on Linux the way through an open directory is short, however deep that lies. Windows has pipes instead. */
async function withAddress<Result>(directory: string, name: string, use: (address: string) => Promise<Result>): Promise<Result> {
  if (process.platform === 'win32') return use(`\\\\.\\pipe\\${name}`);
  if (process.platform !== 'linux') return use(join(directory, name));
  const folder = await open(directory);
  try {
    return await use(`/proc/self/fd/${folder.fd}/${name}`);
  } finally {
    await folder.close();
  }
}
