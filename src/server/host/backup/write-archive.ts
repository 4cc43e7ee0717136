import { createHash } from 'node:crypto';
import { tarEnd, tarEntry } from '../../base/tar.ts';
import type { Database } from '../../data/database/database.ts';
import type { FileTotals, TableTotals } from '../../platform/backup/backup-report.ts';
import type { ObjectStore } from '../../platform/files/object-store.ts';
import { type ArchiveManifest, type ArchiveTrailer, archiveFormat, entryNames, TotalsCounter } from './archive.ts';
import { appliedMigrations, dumpedRows, dumpedSequences, dumpedTables, readChunks } from './dump-database.ts';

/** Facts of the deployment that an archive names. */
export type DeploymentFacts = Pick<ArchiveManifest, 'version' | 'engine' | 'timeZone' | 'keyFingerprint' | 'plugins'>;

/** Number of missing files that an archive names. */
const maxNamed = 20;

/** Yields the bytes of an uncompressed archive and returns its end. Call it inside `snapshot`. */
export async function* archiveOf(db: Database, files: ObjectStore, facts: DeploymentFacts): AsyncGenerator<Uint8Array, ArchiveTrailer> {
  const hash = createHash('sha256');
  async function* hashed(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const tables = await dumpedTables(db);
  yield* hashed(textEntry(entryNames.manifest, await manifestOf(db, facts, tables)));
  const totals: Record<string, TableTotals> = {};
  for (const table of tables) {
    const counter = new TotalsCounter();
    let number = 0;
    for await (const lines of dumpedRows(db, table)) {
      counter.add(lines);
      number += 1;
      yield* hashed(entryOf(entryNames.chunk(table.name, number), lines.join('\n')));
    }
    totals[table.name] = counter.totals;
  }
  const counter = new FileCounter();
  yield* hashed(storedFiles(db, files, counter));
  const end = { tables: totals, sequences: await dumpedSequences(db), files: counter.totals, sha256: hash.digest('hex') };
  yield* textEntry(entryNames.end, end);
  yield tarEnd;
  return end;
}

async function manifestOf(db: Database, facts: DeploymentFacts, tables: ArchiveManifest['tables']): Promise<ArchiveManifest> {
  const [row] = await db.rows("select current_setting('server_version')", []);
  const engineVersion = String(row?.[0]);
  return { format: archiveFormat, createdAt: new Date().toISOString(), engineVersion, ...facts, migrations: await appliedMigrations(db), tables };
}

const entryOf = (name: string, text: string) => {
  const content = Buffer.from(text);
  return tarEntry(name, content.length, [content]);
};

const textEntry = (name: string, value: unknown) => entryOf(name, JSON.stringify(value, null, 2));

/** Yields the complete files of the snapshot that are in the folder of files, with their thumbnails. */
async function* storedFiles(db: Database, files: ObjectStore, counter: FileCounter): AsyncGenerator<Uint8Array> {
  const rows = "select json_build_array(key, thumbnail, stage, store = 'disk')::text from stored_file where stage in ('kept', 'awaited') order by id";
  for await (const lines of readChunks(db, rows)) {
    for (const line of lines) {
      const [key, thumbnail, stage, isLocal] = JSON.parse(line) as [string, string | null, string, boolean];
      if (!isLocal) {
        counter.elsewhere += 1;
        continue;
      }
      for (const one of thumbnail === null ? [key] : [key, thumbnail]) {
        const size = await files.size(one);
        // A thumbnail can be drawn again, and an awaited file may not have arrived.
        if (size === undefined) counter.addMissing(one === key && stage === 'kept' ? [key] : []);
        else {
          counter.add(size);
          yield* tarEntry(entryNames.file(one), size, await files.open(one));
        }
      }
    }
  }
}

class FileCounter {
  elsewhere = 0;
  private count = 0;
  private bytes = 0;
  private missing = 0;
  private readonly missingKeys: string[] = [];

  add(size: number): void {
    this.count += 1;
    this.bytes += size;
  }

  addMissing(keys: readonly string[]): void {
    this.missing += keys.length;
    if (this.missingKeys.length < maxNamed) this.missingKeys.push(...keys);
  }

  get totals(): FileTotals {
    const { count, bytes, missing, missingKeys, elsewhere } = this;
    return { count, bytes, missing, missingKeys, elsewhere };
  }
}
