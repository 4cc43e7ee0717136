import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const held = new Set<string>();

/** Takes `marquee.lock` in a directory for this process; refuses while another live process has it, takes over from a dead one. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const path = resolve(directory, 'marquee.lock');
  if (held.has(path)) throw new Error(`${directory} is already open in this process (${process.pid}).`);
  held.add(path);
  try {
    while (!(await claim(path))) await dropIfStale(path, directory);
  } catch (error) {
    held.delete(path);
    throw error;
  }
  return async () => {
    held.delete(path);
    await rm(path, { force: true });
  };
}

/** The lock appears with its text or not at all, so nobody ever reads half of one. */
async function claim(path: string): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Owner));
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

async function dropIfStale(path: string, directory: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const owner = ownerOf(text);
  if (owner && isAlive(owner)) {
    const doubt = owner.started === undefined ? ` If process ${owner.pid} is no Marquee server, delete ${path}.` : '';
    throw new Error(`${directory} is in use by process ${owner.pid}. Stop that server first, or give this one another DATA_DIR.${doubt}`);
  }
  const aside = `${path}.stale.${process.pid}`;
  await rename(path, aside).catch(() => undefined);
  // Somebody quicker may have taken over between reading and moving: then theirs was moved, and goes back.
  if ((await readFile(aside, 'utf8').catch(() => text)) !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

interface Owner {
  readonly pid: number;
  /** When the process started, where the system tells: a number used again by another process is told apart. */
  readonly started: string | undefined;
}

function ownerOf(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isInteger(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, started }: Owner): boolean {
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
