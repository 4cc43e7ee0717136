import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../data/index.ts';
import type { TableTotals } from '../../platform/backup/backup-report.ts';
import { differenceOf, TotalsCounter } from './archive.ts';
import { dumpedRows } from './dump-database.ts';
import { type LoadResult, loadArchive, type OpenArchive } from './read-archive.ts';
import type { ArchivedSchema } from './restorable.ts';

/** Restores an archive into a temporary embedded database, reads all rows again and compares them; throws for a difference. Files are read and not stored. */
export async function verifyArchive(archive: OpenArchive, schema: ArchivedSchema, signal?: AbortSignal): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-verify-'));
  try {
    const db = await openDatabase({ dataDirectory: join(folder, 'database'), timeZone: archive.manifest.timeZone });
    try {
      const result = await loadArchive(archive, { db, schema, files: undefined, signal });
      const restored = archive.manifest.tables.filter(({ name }) => !result.skippedTables.includes(name));
      const found: Record<string, TableTotals> = {};
      await db.snapshot('compares a restored database with its archive', async () => {
        for (const table of restored) {
          const counter = new TotalsCounter();
          for await (const lines of dumpedRows(db, table)) {
            signal?.throwIfAborted();
            counter.add(lines);
          }
          found[table.name] = counter.totals;
        }
      });
      const expected = Object.fromEntries(Object.entries(result.trailer.tables).filter(([name]) => name in found));
      const difference = differenceOf(expected, found);
      if (difference !== undefined) throw new Error(`The restored database differs from the archive: ${difference}.`);
      return result;
    } catch (error) {
      throw isDiskFull(error) ? new Error(`The disk of the temporary folder ${tmpdir()} is full. Free some space, or set TMPDIR to another folder.`) : error;
    } finally {
      await db.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tests for the errors of the embedded database and of its file system. */
const isDiskFull = (error: unknown): boolean => (error as { errno?: number }).errno === 51 || /no space left on device/i.test((error as Error).message);
