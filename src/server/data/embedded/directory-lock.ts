import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const locksOfProcess = new Set<string>();

/** Takes a connection of another process on this machine that may read the directory. */
type OnCaller = (caller: Socket) => void;

/**
 * Takes `marquee.lock` in a directory for this process; throws while another live process holds it, takes over from a dead one. `onCaller` gets the connections of
 * `connectToOwner`.
 */
export async function lockDirectory(directory: string, onCaller?: OnCaller): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = resolve(directory, 'marquee.lock');
  if (locksOfProcess.has(path)) throw new Error(`${directory} is already open in this process (${process.pid}).`);
  locksOfProcess.add(path);
  // The socket opens before the lock appears, so that a lock without an answer always belongs to a dead process.
  const socket = await openLivenessSocket(directory, onCaller);
  try {
    while (!(await claim(path, socket))) await dropIfStale(path, directory, socket);
  } catch (error) {
    locksOfProcess.delete(path);
    await socket?.close();
    throw error;
  }
  return async () => {
    locksOfProcess.delete(path);
    await rm(path, { force: true });
    await socket?.close();
  };
}

/** Creates the lock together with its content, so that it is never read half-written. */
async function claim(path: string, socket: LivenessSocket | undefined): Promise<boolean> {
  // The name is random, because two containers on one directory may both run as process 1.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify({ pid: process.pid, started: startTimeOf(process.pid), socket: socket?.name } satisfies LockOwner));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Throws while the owner of a lock is alive; otherwise removes the lock so that it can be claimed. */
async function dropIfStale(path: string, directory: string, socket: LivenessSocket | undefined): Promise<void> {
  const found = await lockAt(path);
  if (!found) return;
  const { owner } = found;
  if (owner && (await isAlive(owner, directory))) {
    const isCertain = owner.socket !== undefined || owner.started !== undefined;
    const remedy = isCertain ? '' : ` If process ${owner.pid} is no Marquee server, delete ${path}.`;
    throw new Error(`${directory} is in use by process ${owner.pid}. Stop that server first, or give this one another DATA_DIR.${remedy}`);
  }
  await removeStale(path, directory, socket);
}

/** Removes the lock of a dead process while holding a second lock; otherwise two processes that found the same dead owner could remove each other's new lock. */
async function removeStale(path: string, directory: string, socket: LivenessSocket | undefined): Promise<void> {
  const guard = `${path}.takeover`;
  if (!(await claim(guard, socket))) {
    const found = await lockAt(guard);
    if (found?.owner && (await isAlive(found.owner, directory))) await pause(20);
    else if (found) await removeStale(guard, directory, socket);
    return;
  }
  try {
    const found = await lockAt(path);
    if (!found || (found.owner && (await isAlive(found.owner, directory)))) return;
    await rm(path, { force: true });
    if (found.owner?.socket !== undefined) await removeLivenessSocket(directory, found.owner.socket);
  } finally {
    await rm(guard, { force: true });
  }
}

/** Returns undefined without a lock, and a lock without an owner if its content is invalid. */
async function lockAt(path: string): Promise<{ readonly owner: LockOwner | undefined } | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { owner: ownerOf(text) };
}

/** Connects to the process that holds the lock of a directory; undefined if there is none, or if the file system has no sockets. */
export async function connectToOwner(directory: string): Promise<Socket | undefined> {
  const name = (await lockAt(resolve(directory, 'marquee.lock')))?.owner?.socket;
  if (name === undefined || !socketNamePattern.test(name)) return undefined;
  return withAddress(directory, name, (address) => {
    return new Promise((resolve) => {
      const call = connect(address, () => resolve(call));
      call.once('error', () => resolve(undefined));
    });
  });
}

interface LockOwner {
  readonly pid: number;
  /** Start time of the process if the system reports it; distinguishes a reused process id. */
  readonly started: string | undefined;
  /** Undefined if the directory's file system has no sockets, and in locks of earlier versions. */
  readonly socket?: string | undefined;
}

function ownerOf(text: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(text) as LockOwner;
    return Number.isInteger(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Tests the socket if there is one; process ids are reused by the system and mean nothing between containers. */
async function isAlive(owner: LockOwner, directory: string): Promise<boolean> {
  return owner.socket === undefined ? isRunning(owner) : isAnswered(directory, owner.socket);
}

function isRunning({ pid, started }: LockOwner): boolean {
  // Every other lock of this process is in `locksOfProcess`; a missing one was left by an earlier process with the same id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === undefined || startTimeOf(pid) === undefined || startTimeOf(pid) === started;
}

function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** A local socket that answers as long as this process lives; the operating system closes it however the process ends. */
export interface LivenessSocket {
  /** Socket name by which other processes find it in the same directory. */
  readonly name: string;
  close(): Promise<void>;
}

const socketNamePattern = /^marquee\.[0-9a-f-]{36}\.sock$/;
/** Error codes of a connection to a socket without a listening process; other errors prove nothing. */
const deadCodes: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']);

/** Listens in a directory; undefined if its file system has no sockets. */
export async function openLivenessSocket(directory: string, onCaller: OnCaller = (caller) => void caller.destroy()): Promise<LivenessSocket | undefined> {
  const name = `marquee.${randomUUID()}.sock`;
  const server = createServer(onCaller);
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
  if (!socketNamePattern.test(name)) return Promise.resolve(false);
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
  if (process.platform !== 'win32' && socketNamePattern.test(name)) await rm(join(directory, name), { force: true });
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
