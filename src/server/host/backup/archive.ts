import { createHash } from 'node:crypto';
import type { FileTotals, TableTotals } from '../../platform/backup/backup-report.ts';

/** Version of the format; a build restores archives of its own and earlier ones. */
export const archiveFormat = 1;

/** Names of the files of an archive, in their order: the manifest, chunks of rows, stored files, the end. */
export const entryNames = {
  manifest: 'manifest.json',
  chunk: (table: string, number: number) => `database/${table}/${String(number).padStart(8, '0')}.jsonl`,
  file: (key: string) => `files/${key.slice(0, 2)}/${key}`,
  end: 'end.json',
};

/** Finds the table of a chunk, or the key of a stored file, by the name of its entry. */
export function parseName(name: string): { readonly table: string } | { readonly key: string } | undefined {
  const table = /^database\/([a-z0-9_]+)\/\d{8}\.jsonl$/.exec(name)?.[1];
  if (table !== undefined) return { table };
  const key = /^files\/[0-9a-f]{2}\/([0-9a-f]{32})$/.exec(name)?.[1];
  return key === undefined ? undefined : { key };
}

/** A table with rows: a partition or a table that has none. Generated columns are left out. */
export interface ArchivedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Partitioned table and bound of a partition. */
  readonly partition: { readonly of: string; readonly bound: string } | undefined;
}

/** A migration that had been applied. */
export interface ArchivedMigration {
  readonly plugin: string;
  readonly name: string;
  readonly hash: string;
  /** Text of a migration from a package, which no build contains. */
  readonly text?: string;
}

/** First file of an archive. It contains no secret. */
export interface ArchiveManifest {
  readonly format: number;
  /** Version of the product. */
  readonly version: string;
  readonly createdAt: string;
  readonly engine: string;
  /** Version of PostgreSQL. */
  readonly engineVersion: string;
  readonly timeZone: string;
  /** Fingerprint of `SECRET_KEY`, from which the key cannot be recovered. */
  readonly keyFingerprint: string;
  /** Fingerprints of `SECRET_KEY_FALLBACKS`; absent in archives of versions without this setting. */
  readonly fallbackFingerprints?: readonly string[];
  /** Plugins of the build, `id@version` if one has a version. */
  readonly plugins: readonly string[];
  readonly migrations: readonly ArchivedMigration[];
  readonly tables: readonly ArchivedTable[];
}

/** State of a sequence. */
export interface ArchivedSequence {
  readonly name: string;
  readonly value: string;
  /** False if the value has not been used yet. */
  readonly isCalled: boolean;
}

/** Last file of an archive; without it the archive is incomplete. */
export interface ArchiveTrailer {
  readonly tables: Readonly<Record<string, TableTotals>>;
  readonly sequences: readonly ArchivedSequence[];
  readonly files: FileTotals;
  /** SHA-256 of all bytes of the uncompressed archive before this file. */
  readonly sha256: string;
}

/** Counts and digests the lines of a table. The digest is a sum, so that a database may return the rows in any order. */
export class TotalsCounter {
  private rows = 0;
  private sum = 0n;

  add(lines: readonly string[]): void {
    this.rows += lines.length;
    for (const line of lines) this.sum += createHash('sha256').update(line).digest().readBigUInt64BE();
  }

  get totals(): TableTotals {
    return { rows: this.rows, digest: BigInt.asUintN(64, this.sum).toString(16).padStart(16, '0') };
  }
}

/** Describes the first difference between two sets of tables; undefined if they are equal. */
export function differenceOf(expected: ArchiveTrailer['tables'], found: ArchiveTrailer['tables']): string | undefined {
  for (const [table, { rows, digest }] of Object.entries(expected)) {
    const other = found[table] ?? { rows: 0, digest: '' };
    if (rows !== other.rows) return `the table ${table} has ${other.rows} instead of ${rows} rows`;
    if (rows > 0 && digest !== other.digest) return `the rows of the table ${table} have changed`;
  }
  return undefined;
}
