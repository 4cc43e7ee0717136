import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DamagedArchiveError, readTar, type TarEntry } from '../../base/tar.ts';
import type { Database } from '../../data/database/database.ts';
import type { ObjectStore } from '../../platform/files/object-store.ts';
import { type ArchiveManifest, type ArchiveTrailer, differenceOf, entryNames, parseName, TotalsCounter } from './archive.ts';
import { DatabaseLoader } from './load-database.ts';
import type { ArchivedSchema } from './restorable.ts';

/** An archive whose manifest has been read. */
export interface OpenArchive {
  readonly manifest: ArchiveManifest;
  /** Files after the manifest, in order. */
  readonly entries: AsyncGenerator<TarEntry>;
  close(): void;
}

/** Opens an archive and reads its manifest. */
export async function openArchive(path: string): Promise<OpenArchive> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.once('error', (error) => gunzip.destroy(error));
  const entries = readTar(file.pipe(gunzip));
  const close = () => {
    file.destroy();
    gunzip.destroy();
  };
  try {
    const { value: first } = await entries.next();
    if (first?.name !== entryNames.manifest) throw new DamagedArchiveError('it does not begin with a manifest');
    return { manifest: await parseJson<ArchiveManifest>(first), entries, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function textOf(entry: TarEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry.content()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function parseJson<Content>(entry: TarEntry): Promise<Content> {
  const text = await textOf(entry);
  try {
    return JSON.parse(text) as Content;
  } catch (error) {
    throw new DamagedArchiveError(`${entry.name} is not JSON`, { cause: error });
  }
}

/** Database and object store that an archive is loaded into, and the schema that its tables need. */
export interface LoadTarget {
  readonly db: Database;
  /** Undefined reads the files without storing them. */
  readonly files: ObjectStore | undefined;
  readonly schema: ArchivedSchema;
  readonly signal: AbortSignal | undefined;
}

/** Result of a restore. */
export interface LoadResult {
  readonly trailer: ArchiveTrailer;
  /** Tables of the archive that were left out. */
  readonly skippedTables: readonly string[];
}

/** Loads an archive in one transaction, which commits only if the archive is complete and its checksum and totals are right. Files are stored before that; after an error the caller removes them. */
export function loadArchive(archive: OpenArchive, { db, schema, files, signal }: LoadTarget): Promise<LoadResult> {
  return db.asPlatform('restores the rows of all tenants', async () => {
    const loader = await DatabaseLoader.start(db, archive.manifest, schema);
    return readEntries(archive, new ArchiveLoad(loader, files), signal);
  });
}

/** Reads an archive to its end and compares its counts and checksums; throws if it is damaged or incomplete. */
export async function checkArchive(archive: OpenArchive, signal?: AbortSignal): Promise<void> {
  await readEntries(archive, new ArchiveLoad(undefined, undefined), signal);
}

async function readEntries({ manifest, entries }: OpenArchive, load: ArchiveLoad, signal: AbortSignal | undefined): Promise<LoadResult> {
  for await (const entry of entries) {
    signal?.throwIfAborted();
    await load.add(entry);
  }
  return load.finish(manifest);
}

/** Reads the files of an archive; without a loader it only counts and compares. */
class ArchiveLoad {
  private readonly counters = new Map<string, TotalsCounter>();
  private readonly skippedTables = new Set<string>();
  private trailer: ArchiveTrailer | undefined;
  private failure: { readonly cause: unknown } | undefined;

  constructor(
    private readonly loader: DatabaseLoader | undefined,
    private readonly files: ObjectStore | undefined,
  ) {}

  async add(entry: TarEntry): Promise<void> {
    if (this.trailer) throw new DamagedArchiveError('it continues after its end');
    if (entry.name === entryNames.end) return this.readTrailer(entry);
    const content = parseName(entry.name);
    if (!content) throw new DamagedArchiveError(`it contains the unknown file ${entry.name}`);
    if ('table' in content) await this.addRows(content.table, (await textOf(entry)).split('\n'));
    else if (this.files && !this.failure) await this.files.put(content.key, Readable.from(entry.content(), { objectMode: false }));
  }

  /** Checks all totals, then completes the tables. */
  async finish(manifest: ArchiveManifest): Promise<LoadResult> {
    const { trailer } = this;
    if (!trailer) throw new DamagedArchiveError('its end is missing');
    const countedTotals = Object.fromEntries(manifest.tables.map(({ name }) => [name, this.counterOf(name).totals]));
    const difference = differenceOf(trailer.tables, countedTotals);
    if (difference !== undefined) throw new DamagedArchiveError(difference);
    if (this.failure) throw this.failure.cause;
    await this.loader?.finish(trailer.sequences);
    return { trailer, skippedTables: [...this.skippedTables] };
  }

  private async readTrailer(entry: TarEntry): Promise<void> {
    const trailer = await parseJson<ArchiveTrailer>(entry);
    if (trailer.sha256 !== entry.digestBefore) throw new DamagedArchiveError('its checksum differs');
    this.trailer = trailer;
  }

  /** Counts and inserts rows. After a failure the rest of the archive is only counted: if the archive is damaged, that is the error to report. */
  private async addRows(table: string, lines: readonly string[]): Promise<void> {
    this.counterOf(table).add(lines);
    if (this.failure || !this.loader) return;
    try {
      if (!(await this.loader.insert(table, lines))) this.skippedTables.add(table);
    } catch (cause) {
      this.failure = { cause };
    }
  }

  private counterOf(table: string): TotalsCounter {
    const counter = this.counters.get(table) ?? new TotalsCounter();
    this.counters.set(table, counter);
    return counter;
  }
}
