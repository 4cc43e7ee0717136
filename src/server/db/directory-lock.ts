import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAnswered, type LivenessSocket, openLivenessSocket, removeLivenessSocket } from './liveness-socket.ts';

const held = new Set<string>();

/** Takes `marquee.lock` in a directory for this process; refuses while another live process has it, takes over from a dead one. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = resolve(directory, 'marquee.lock');
  if (held.has(path)) throw new Error(`${directory} is already open in this process (${process.pid}).`);
  held.add(path);
  // It answers before the lock appears, so that a lock without an answer always belongs to a dead process.
  const socket = await openLivenessSocket(directory);
  try {
    while (!(await claim(path, socket))) await dropIfStale(path, directory, socket);
  } catch (error) {
    held.delete(path);
    await socket?.close();
    throw error;
  }
  return async () => {
    held.delete(path);
    await rm(path, { force: true });
    await socket?.close();
  };
}

/** The lock appears with its text or not at all, so nobody ever reads half of one. */
async function claim(path: string, socket: LivenessSocket | undefined): Promise<boolean> {
  // Two containers on one directory may both run as process 1.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify({ pid: process.pid, started: startOf(process.pid), socket: socket?.name } satisfies Owner));
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

/** Throws while the owner of a lock lives; else removes the lock, so that it can be claimed. */
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

/** Removes the lock of a dead process, under a lock of its own: two processes that found the same dead owner would else remove each other's new lock. */
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

/** Nothing where there is no lock; a lock without an owner where its text is not a lock's. */
async function lockAt(path: string): Promise<{ readonly owner: Owner | undefined } | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { owner: ownerOf(text) };
}

interface Owner {
  readonly pid: number;
  /** When the process started, where the system tells: a number used again by another process is told apart. */
  readonly started: string | undefined;
  /** Absent where the file system of the directory has no sockets, and in locks of earlier versions. */
  readonly socket?: string | undefined;
}

function ownerOf(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isInteger(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** A socket is asked before the process number, which the system gives out again and which says nothing between containers. */
async function isAlive(owner: Owner, directory: string): Promise<boolean> {
  return owner.socket === undefined ? isRunning(owner) : isAnswered(directory, owner.socket);
}

function isRunning({ pid, started }: Owner): boolean {
  // Every other lock of this process is in `held`; one that is not was left by an earlier process with the same number.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === undefined || startOf(pid) === undefined || startOf(pid) === started;
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
