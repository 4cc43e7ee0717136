/** Keeps the temporary files of a run in memory, where the machine has enough of it. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const gigabyte = 1024 ** 3;
/** Required free space; a run of all tests needs less than half of it at a time. */
const needed = 4 * gigabyte;
const sharedMemory = '/dev/shm';

/**
 * Sets `TMPDIR` to a folder in memory until this process ends, because most of the cost of a test database is creating a thousand files on disk. Without enough
 * memory or such a file system `TMPDIR` stays unchanged.
 */
export function keepTemporaryFilesInMemory() {
  const directory = memoryDirectory();
  if (directory === undefined) return;
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
}

function memoryDirectory() {
  if (process.platform !== 'linux' || (process.availableMemory?.() ?? 0) < 2 * needed) return undefined;
  let directory;
  try {
    const { bavail, bsize } = statfsSync(sharedMemory);
    if (bavail * bsize < needed) return undefined;
    directory = mkdtempSync(join(sharedMemory, 'marquee-'));
    // The same mode as /tmp, because databases run as users of their own.
    chmodSync(directory, 0o1777);
    const program = join(directory, 'program');
    writeFileSync(program, '', { mode: 0o755 });
    // Containers often mount it with `noexec`.
    accessSync(program, constants.X_OK);
    return directory;
  } catch {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
}
