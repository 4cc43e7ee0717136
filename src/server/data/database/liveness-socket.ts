import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** A local socket that answers as long as this process lives; the operating system closes it however the process ends. */
export interface LivenessSocket {
  /** Socket name by which other processes find it in the same directory. */
  readonly name: string;
  close(): Promise<void>;
}

const form = /^marquee\.[0-9a-f-]{36}\.sock$/;
/** Error codes of a connection to a socket without a listening process; other errors prove nothing. */
const deadCodes: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']);

/** Listens in a directory; undefined if its file system has no sockets. */
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

/** Tests whether the process that opened this socket is alive. */
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

/** Removes the socket of a dead process from the directory. */
export async function removeLivenessSocket(directory: string, name: string): Promise<void> {
  if (process.platform !== 'win32' && form.test(name)) await rm(join(directory, name), { force: true });
}

/** Finds a short address for a socket, which is limited to about a hundred bytes: on Linux through the open directory, regardless of its depth. Windows uses pipes instead. */
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
