/** Keeps the temporary files of a test run in memory if the machine has enough. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const gigabyte = 1024 ** 3;
/** Required free space, more than twice the peak usage of a full test run. */
const requiredBytes = 4 * gigabyte;
const sharedMemory = '/dev/shm';

/**
 * Sets `TMPDIR` to a folder in memory until this process ends, because a test database spends most of its time on creating a thousand files on disk. `TMPDIR` stays
 * unchanged if the machine lacks `/dev/shm` or enough memory.
 */
export function keepTemporaryFilesInMemory() {
  const directory = memoryDirectory();
  if (directory === undefined) return;
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
}

function memoryDirectory() {
  if (process.platform !== 'linux' || (process.availableMemory?.() ?? 0) < 2 * requiredBytes) return undefined;
  let directory;
  try {
    const { bavail, bsize } = statfsSync(sharedMemory);
    if (bavail * bsize < requiredBytes) return undefined;
    directory = mkdtempSync(join(sharedMemory, 'marquee-'));
    // The same mode as `/tmp`, because each test database may run as another system user.
    chmodSync(directory, 0o1777);
    const probe = join(directory, 'probe');
    writeFileSync(probe, '', { mode: 0o755 });
    // Containers often mount `/dev/shm` with `noexec`, but programs in `TMPDIR` must be able to run.
    accessSync(probe, constants.X_OK);
    return directory;
  } catch {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
}
