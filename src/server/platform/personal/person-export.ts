import { sql } from 'drizzle-orm';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { existingRecords, isAbout, type Person, type PersonalSource } from './people.ts';
import type { PersonalRecords } from './personal-records.ts';

/** Rows of one table about a person. */
export interface ExportedRecords {
  readonly plugin: string;
  readonly table: string;
  readonly title: LocalizedText;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Everything about a person. */
export interface PersonExport {
  readonly person: Person;
  readonly records: readonly ExportedRecords[];
  /** Files that the person has uploaded. */
  readonly files: readonly ExportedFile[];
}

/** A file of a person. */
export interface ExportedFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

/** Rows of one table that an export contains at most; logs can have more. */
const maxRows = 50_000;

/** Reads everything about a person, in a transaction of their tenant. */
export async function readPerson(db: Database, sources: readonly PersonalSource[], person: Person): Promise<PersonExport> {
  const records: ExportedRecords[] = [];
  for (const { plugin, ...declared } of await existingRecords(db, sources)) {
    const rows = await rowsAbout(db, declared, person);
    if (rows.length > 0) records.push({ plugin, table: declared.table, title: declared.title, rows });
  }
  return { person, records: mergedByTable(records), files: await filesOf(db, person) };
}

/** Joins what several declarations say about one table, so that each row is exported once. */
function mergedByTable(records: readonly ExportedRecords[]): ExportedRecords[] {
  const merged = new Map<string, ExportedRecords>();
  for (const one of records) {
    const earlier = merged.get(one.table);
    const known = new Set(earlier?.rows.map((row) => JSON.stringify(row)));
    merged.set(one.table, earlier ? { ...earlier, rows: [...earlier.rows, ...one.rows.filter((row) => !known.has(JSON.stringify(row)))] } : one);
  }
  return [...merged.values()];
}

async function rowsAbout(db: Database, records: PersonalRecords, person: Person): Promise<Readonly<Record<string, unknown>>[]> {
  const { table, columns, encrypted = [] } = records;
  const where = isAbout(records, person);
  if (!where) return [];
  const names = [...new Set([...columns, ...encrypted])];
  const pairs = names.map((column) => sql`${column}::text, ${sql.identifier(column)}`);
  const rows = await queryRows<{ row: Record<string, unknown> }>(
    db,
    sql`select jsonb_build_object(${sql.join(pairs, sql`, `)}) as row from ${sql.identifier(table)} where ${where} limit ${maxRows}`,
  );
  return rows.map(({ row }) => ({ ...row, ...Object.fromEntries(encrypted.map((column) => [column, decrypted(db, row[column])])) }));
}

function decrypted(db: Database, value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? db.encryption.decrypt(value) : null;
}

/** Lists the files that a person has uploaded. */
export async function filesOf(db: Database, { userId }: Person): Promise<ExportedFile[]> {
  if (userId === undefined) return [];
  return queryRows<ExportedFile>(
    db,
    sql`select id::text as id, name, size::float8 as size from stored_file where owner_id = ${userId}::bigint and stage <> 'removed' order by id`,
  );
}
