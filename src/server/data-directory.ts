import { existsSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const megabyte = 1024 * 1024;
/** A new embedded database takes about 70 MB; one that exists writes ahead before it writes. */
const needed = { newDatabase: 150 * megabyte, existingDatabase: 16 * megabyte };

/** Makes the data directory of an embedded database and refuses one that cannot be written, or whose disk is full, before anything in it is touched. */
export function prepareDataDirectory(directory: string): void {
  makeFolder(resolve(directory));
  const probe = join(directory, `.writable.${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
  const hasDatabase = existsSync(join(directory, 'database/postgres/PG_VERSION'));
  const bytes = hasDatabase ? needed.existingDatabase : needed.newDatabase;
  const { bavail, bsize, blocks } = statfsSync(directory);
  // Some file systems of networks do not know their size and answer with zeros.
  if (blocks > 0 && bavail * bsize < bytes) throw new DiskFull(directory, bavail * bsize, bytes);
}

/** One folder after the other: Node.js 20 never comes back from making several at once where the system refuses the first. */
function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** The disk of the data directory has no room for what a start writes. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';

  constructor(directory: string, freeBytes: number, neededBytes: number) {
    const inMegabytes = (bytes: number) => `${Math.floor(bytes / megabyte)} MB`;
    super(
      `The disk of DATA_DIR ${resolve(directory)} is full: ${inMegabytes(freeBytes)} are free and a start needs ${inMegabytes(neededBytes)}. ` +
        'Free some space, or set DATA_DIR to a folder on another disk.',
    );
  }
}
