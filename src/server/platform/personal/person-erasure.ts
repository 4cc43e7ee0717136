import { type SQL, sql } from 'drizzle-orm';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows, textArray } from '../../data/database/rows.ts';
import { endSessions } from '../identity/sessions/sessions.ts';
import { invalidatePrincipals } from '../principal/principal-cache.ts';
import { existingRecords, isAbout, type Person, type PersonalSource } from './people.ts';
import { filesOf } from './person-export.ts';
import type { PersonalRecords } from './personal-records.ts';

/** Effect of an erasure on one table. */
export interface ErasedRecords {
  readonly plugin: string;
  readonly table: string;
  readonly title: LocalizedText;
  /** Rows that are deleted, or whose personal columns are cleared. */
  readonly erased: number;
  readonly isDeleted: boolean;
  /** Rows that stay as they are, with the reason. */
  readonly kept: number;
  readonly reason: LocalizedText | undefined;
  readonly until: LocalizedText | undefined;
}

/** Effect of an erasure. */
export interface ErasureReport {
  readonly records: readonly ErasedRecords[];
  /** Files of the person that are deleted, and those that rows which stay refer to. */
  readonly files: { readonly erased: readonly string[]; readonly kept: number };
}

interface Parts {
  readonly erased: SQL | undefined;
  readonly kept: SQL | undefined;
}

/** Returns the conditions for the rows that are erased and for those that stay. */
export function partsOf(records: PersonalRecords, about: SQL): Parts {
  const { erase, kept } = records;
  const stays = kept ? sql`(${sql.raw(kept.where ?? 'true')})` : undefined;
  if (erase === undefined) return { erased: undefined, kept: stays ? sql`${about} and ${stays}` : about };
  return { erased: stays ? sql`${about} and not ${stays}` : about, kept: stays && sql`${about} and ${stays}` };
}

const count = async (db: Database, table: string, where: SQL | undefined): Promise<number> => {
  if (!where) return 0;
  const [row] = await queryRows<{ count: number }>(db, sql`select count(*)::integer as count from ${sql.identifier(table)} where ${where}`);
  return row?.count ?? 0;
};

/** Says what an erasure of the person would do, and does nothing; runs in a transaction of their tenant. */
export const planErasure = (db: Database, sources: readonly PersonalSource[], person: Person): Promise<ErasureReport> =>
  eachTable(db, sources, person, async ({ table }, { erased }) => count(db, table, erased));

/**
 * Erases a person, in one transaction of their tenant: ends their sessions, and deletes or clears the rows of all plugins. Rows that the law or money requires stay and are
 * reported. Running it again changes nothing more. The caller deletes the files once the transaction has committed.
 */
export async function erasePerson(db: Database, sources: readonly PersonalSource[], person: Person): Promise<ErasureReport> {
  const { userId, tenantId, phones } = person;
  await db.asPlatform('deletes the codes of an erased person, which no tenant reads', async () => {
    await queryRows(db, sql`delete from sms_code where tenant_id = ${tenantId} and (user_id = ${userId ?? null}::bigint or phone = any(${textArray(phones)}))`);
    await queryRows(db, sql`delete from authorization_code where tenant_id = ${tenantId} and user_id = ${userId ?? null}::bigint`);
  });
  if (userId !== undefined) {
    await endSessions(db, sql`user_id = ${userId}::bigint`, 'access-withdrawn');
    await invalidatePrincipals(db, { userId });
  }
  const report = await eachTable(db, sources, person, async (records, { erased }) => (erased ? eraseRows(db, records, erased) : 0));
  await forgetPositions(
    db,
    tenantId,
    report.records.filter(({ erased }) => erased > 0).map(({ table }) => table),
  );
  return report;
}

/** Removes the erased values from what the order of lists is computed with. */
export async function forgetPositions(db: Database, tenantId: string, tables: readonly string[]): Promise<void> {
  await db.asPlatform('folds the positions of erased rows in the order of lists', async () => {
    for (const table of new Set(tables)) await queryRows(db, sql`select fold_list_moves(${table}, ${tenantId})`);
  });
}

async function eachTable(
  db: Database,
  sources: readonly PersonalSource[],
  person: Person,
  work: (records: PersonalRecords, parts: Parts) => Promise<number>,
): Promise<ErasureReport> {
  const records: ErasedRecords[] = [];
  const keptRows: { table: string; where: SQL }[] = [];
  // A table that names people by their account or phone is searched before the row of the user, which has both, is cleared.
  const ordered = (await existingRecords(db, sources)).sort((one, other) => Number(one.table === 'user_account') - Number(other.table === 'user_account'));
  for (const { plugin, ...declared } of ordered) {
    const about = isAbout(declared, person);
    if (!about) continue;
    const { table, title, kept: { reason, until } = {} } = declared;
    const parts = partsOf(declared, about);
    const kept = await count(db, table, parts.kept);
    const erased = await work(declared, parts);
    if (parts.kept && kept > 0) keptRows.push({ table, where: parts.kept });
    if (erased > 0 || kept > 0) records.push({ plugin, table, title, erased, isDeleted: declared.erase === 'delete', kept, reason, until });
  }
  return { records, files: await filesToErase(db, person, keptRows) };
}

/** Deletes or clears the rows that match and are not cleared yet, and returns their number; with a limit, so many of those with an id. */
export async function eraseRows(db: Database, { table, erase: values, columns }: PersonalRecords, where: SQL, limit?: number): Promise<number> {
  const name = sql.identifier(table);
  const atMost = (condition: SQL) => (limit === undefined ? condition : sql`id in (select id from ${name} where ${condition} limit ${limit})`);
  if (values === 'delete') return (await queryRows(db, sql`delete from ${name} where ${atMost(where)} returning 1`)).length;
  const sets = Object.entries(values ?? {}).map(([column, value]) => ({ column: sql.identifier(column), value: replacementOf(value) }));
  if (sets.length === 0) return 0;
  const isChanged = sql.join(
    sets.map(({ column, value }) => sql`${column} is distinct from ${value}`),
    sql` or `,
  );
  const assignments = sql.join(
    sets.map(({ column, value }) => sql`${column} = ${value}`),
    sql`, `,
  );
  const stamp = columns.includes('update_time') ? sql`, update_time = date_trunc('second', now())` : sql``;
  return (await queryRows(db, sql`update ${name} set ${assignments}${stamp} where ${atMost(sql`${where} and (${isChanged})`)} returning 1`)).length;
}

function replacementOf(value: string | number | null): SQL {
  if (value === null) return sql.raw('null');
  if (typeof value === 'number') return sql.raw(String(value));
  const [before = '', after] = value.split('{id}');
  return after === undefined ? sql`${value}` : sql`(${before}::text || id::text || ${after}::text)`;
}

/** Divides the files of a person into those that can be deleted, and those to which rows that stay refer. */
async function filesToErase(db: Database, person: Person, keptRows: readonly { table: string; where: SQL }[]): Promise<ErasureReport['files']> {
  const erased: string[] = [];
  let kept = 0;
  for (const { id } of await filesOf(db, person)) {
    let isReferred = false;
    for (const { table, where } of keptRows) {
      const [found] = await queryRows(
        db,
        sql`select 1 from ${sql.identifier(table)} t where ${where} and strpos(to_jsonb(t)::text, (select key from stored_file where id = ${id}::bigint)) > 0 limit 1`,
      );
      if (found) isReferred = true;
    }
    if (isReferred) kept += 1;
    else erased.push(id);
  }
  return { erased, kept };
}
