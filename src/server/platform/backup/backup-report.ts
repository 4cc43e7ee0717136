/** Rows of a table: their number, and a digest that does not depend on their order. */
export interface TableTotals {
  readonly rows: number;
  readonly digest: string;
}

/** Stored files of a backup. */
export interface FileTotals {
  readonly count: number;
  readonly bytes: number;
  /** Files of the snapshot whose content was not in the folder of files. */
  readonly missing: number;
  /** Some of them. */
  readonly missingKeys: readonly string[];
  /** Files in stores of tenants, which are not in the archive. */
  readonly elsewhere: number;
}

/** A requested backup. */
export interface BackupRequest {
  /** File to write, or a folder in which the file gets a name with the time. */
  readonly path: string;
  /** Restores the archive into a temporary database before it counts; otherwise it is only read to its end. */
  readonly isVerified: boolean;
  readonly signal?: AbortSignal;
}

/** A written backup. */
export interface BackupReport {
  readonly path: string;
  readonly bytes: number;
  readonly keyFingerprint: string;
  readonly tables: Readonly<Record<string, TableTotals>>;
  readonly files: FileTotals;
}

/** Makes the requested backup, in this process or in another. */
export type MakeBackup = (request: BackupRequest) => Promise<BackupReport>;
