import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IntegerParameter } from '#shared/parameters';
import type { Configuration } from '../base/configuration/configuration.ts';
import { deploymentKeys } from '../base/configuration/secret-key.ts';
import type { Parameters } from '../base/parameters.ts';
import type { Database } from '../data/database/database.ts';
import type { Files } from '../platform/files/files.ts';
import { Signatures } from '../platform/files/signatures.ts';
import { startFiles } from '../platform/files/start-files.ts';
import type { PersonReference } from '../platform/personal/people.ts';
import { personArchive } from '../platform/personal/person-archive.ts';
import type { ErasureReport } from '../platform/personal/person-erasure.ts';
import { type DeclaringPlugin, PersonalData } from '../platform/personal/personal-data.ts';

/** The person of a command, in a tenant. */
export interface PersonRequest extends PersonReference {
  readonly tenantId: string;
}

/** Result of an export. */
export interface PersonExportReport {
  readonly name: string;
  readonly rows: number;
  readonly files: number;
}

/** Result of an erasure, or of its plan. */
export interface PersonErasureReport extends ErasureReport {
  readonly name: string;
}

interface CommandDeps {
  readonly db: Database;
  readonly configuration: Configuration;
  readonly plugins: readonly DeclaringPlugin[];
}

/** Writes everything about a person to a new ZIP archive that only its owner can read. Files in buckets are listed without their content. */
export async function exportPersonTo(
  { db, configuration, plugins }: CommandDeps,
  { tenantId, ...reference }: PersonRequest,
  path: string,
): Promise<PersonExportReport> {
  db.encryption.setKey(...deploymentKeys(configuration).encryption);
  const files = filesOnDisk(db, configuration);
  const data = new PersonalData(db, files, () => plugins);
  const exported = await db.write({ tenantId }, async () => data.export(await data.find(tenantId, reference)));
  const archive = personArchive(exported, async ({ id }) => contentOf(files, tenantId, id));
  try {
    await pipeline(archive, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
  const { person, records } = exported;
  return { name: person.name, rows: records.reduce((count, { rows }) => count + rows.length, 0), files: exported.files.length };
}

/** Says what an erasure does; with `isConfirmed` it erases the person as well. */
export async function erasePersonOf(
  { db, configuration, plugins }: CommandDeps,
  { tenantId, ...reference }: PersonRequest,
  isConfirmed: boolean,
): Promise<PersonErasureReport> {
  const data = new PersonalData(db, filesOnDisk(db, configuration), () => plugins);
  const { person, report } = await db.write({ tenantId }, async () => {
    const person = await data.find(tenantId, reference);
    return { person, report: await (isConfirmed ? data.erase(person) : data.plan(person)) };
  });
  if (isConfirmed) await data.removeFiles(person, report);
  return { ...report, name: person.name };
}

/** Parameters with their defaults, because a command uses no limit of them. */
const defaultParameters = { integer: async ({ preset }: IntegerParameter) => preset } as Parameters;

const filesOnDisk = (db: Database, configuration: Configuration): Files =>
  startFiles({
    db,
    signatures: new Signatures(...deploymentKeys(configuration).file),
    parameters: defaultParameters,
    directory: configuration.dataDirectory,
  }).files;

async function contentOf(files: Files, tenantId: string, id: string): Promise<Readable | undefined> {
  const file = await files.find(tenantId, id);
  return file && files.open(file).catch(() => undefined);
}
