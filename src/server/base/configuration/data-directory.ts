import { existsSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const megabyte = 1024 * 1024;
/** Free bytes a start needs: a new embedded database takes about 70 MB, an existing one only writes its write-ahead log. */
const minFreeBytes = { newDatabase: 150 * megabyte, existingDatabase: 16 * megabyte };

/** Creates the data directory of an embedded database; throws before anything is written if the directory is not writable or its disk is full. */
export function prepareDataDirectory(directory: string): void {
  makeFolder(resolve(directory));
  const probe = join(directory, `.writable.${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
  const hasDatabase = existsSync(join(directory, 'database/postgres/PG_VERSION'));
  const bytes = hasDatabase ? minFreeBytes.existingDatabase : minFreeBytes.newDatabase;
  const { bavail, bsize, blocks } = statfsSync(directory);
  // Some network file systems do not report their size and return zeros.
  if (blocks > 0 && bavail * bsize < bytes) throw new DiskFullError(directory, bavail * bsize, bytes);
}

/** Creates one folder after the other: a recursive mkdir of Node.js 20 never returns if the system refuses the first folder. */
function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Reports that the disk of the data directory has too little space for a start. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFull';

  constructor(directory: string, freeBytes: number, neededBytes: number) {
    const inMegabytes = (bytes: number) => `${Math.floor(bytes / megabyte)} MB`;
    super(
      `The disk of DATA_DIR ${resolve(directory)} is full: ${inMegabytes(freeBytes)} are free and a start needs ${inMegabytes(neededBytes)}. ` +
        'Free some space, or set DATA_DIR to a folder on another disk.',
    );
  }
}
