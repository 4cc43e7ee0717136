import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TSchema } from 'typebox';
import { type Entity, maxCountedRows } from '#shared/contract';
import { isFilterable, nameField } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import type { InUseData, RecordUse } from '#shared/record-uses';
import type { Database } from '../database/database.ts';
import type { ReferenceField } from '../database/reference-registry.ts';
import { idArray, textArray } from '../database/rows.ts';
import { typeOfField } from '../schema/field-type.ts';
import { tableOf } from '../schema/table.ts';
import type { NamedTable } from './page-statements.ts';
import { isHidden } from './row-scope.ts';
import type { Row } from './row-values.ts';

/** Throws `inUse` with all uses if archived or live rows refer to these rows; the rows are locked by the caller. */
export async function assertUnused(db: Database, entity: Entity, rows: readonly Row[], target: string = entity.name): Promise<void> {
  if (rows.length === 0) return;
  // Rows of the platform are referred to by the rows of every tenant.
  const count = () => usesOf(db, entity, rows, target);
  const uses = entity.owner === 'platform' && db.scope ? await db.asPlatform('counts the uses of rows that every tenant shares', count) : await count();
  if (uses.length === 0) return;
  const data: InUseData = { uses };
  const [only] = rows.length === 1 ? rows : [];
  const { one, several } = entity.archivable
    ? { one: problems.inUseArchivable, several: problems.someInUseArchivable }
    : { one: problems.inUse, several: problems.someInUse };
  throw only ? new ApiError(one, { name: rowName(entity, only) }, { data }) : new ApiError(several, {}, { data });
}

async function usesOf(db: Database, entity: Entity, rows: readonly Row[], target: string): Promise<RecordUse[]> {
  const uses: RecordUse[] = [];
  // One after the other, because a transaction runs one statement at a time.
  for (const fields of db.references.fieldsTo(target)) uses.push(...(await usesIn(db, entity, rows, fields)));
  const ids = rows.map(({ id }) => String(id));
  for (const declared of db.references.declaredFor(target)) {
    const count = await declared.count(ids);
    const list = ids.length === 1 ? declared.rows?.(ids[0] as string) : undefined;
    if (count > 0) uses.push({ title: declared.title, count, ...(list ? { rows: list } : {}) });
  }
  return uses;
}

/** Counts the uses by the fields of one entity, in one statement. */
async function usesIn(db: Database, target: Entity, rows: readonly Row[], fields: readonly ReferenceField[]): Promise<RecordUse[]> {
  const counts = fields.map((reference, index) => sql`(select count(*)::integer from ${matching(target, rows, reference)} used) as ${sql.raw(`use_${index}`)}`);
  const [found] = await db.sql.execute<Record<string, number>>(sql`select ${sql.join(counts, sql`, `)}`);
  return fields.flatMap((reference, index) => {
    const count = Number(found?.[`use_${index}`] ?? 0);
    return count > 0 ? [describeUse(db, reference, count, fields.length > 1, rows)] : [];
  });
}

function matching(target: Entity, rows: readonly Row[], { entity, field, targetField }: ReferenceField): SQL {
  const table = tableOf(entity) as unknown as NamedTable;
  // A row that is deleted together with the row it refers to is no use of it.
  const others = entity.name === target.name ? sql`not (${table.id} = any(${idArray(rows.map(({ id }) => String(id)))}))` : undefined;
  const values = rows.map((row) => String(row[targetField]));
  const where = and(sql`${table.isDeleted} <> 1`, refersTo(table[field] as PgColumn, entity.fields[field] as TSchema, values), others);
  return sql`(select from ${table} where ${where} limit ${maxCountedRows})`;
}

function refersTo(column: PgColumn, schema: TSchema, values: readonly string[]): SQL {
  const { kind } = typeOfField(schema);
  if (kind === 'id') return sql`${column} = any(${idArray(values)})`;
  const texts = textArray(values);
  return kind === 'json' ? sql`${column} ?| ${texts}` : sql`${column} = any(${texts})`;
}

function describeUse(db: Database, { entity, field, targetField }: ReferenceField, count: number, isOneOfSeveral: boolean, rows: readonly Row[]): RecordUse {
  const page = db.references.pageOf(entity.name);
  const title = page?.title ?? ([entity.name, entity.name] as const);
  const fieldTitle = traitsOf(entity.fields[field] as TSchema)?.title ?? ([field, field] as const);
  const [row] = rows.length === 1 ? rows : [];
  const hasFilter = row && page?.list !== undefined && isFilterable(entity, field) && !isHidden(entity, field);
  return {
    title: isOneOfSeveral ? [`${title[0]}（${fieldTitle[0]}）`, `${title[1]} (${fieldTitle[1]})`] : title,
    count,
    ...(hasFilter
      ? { rows: { menu: page.menu, list: page.list as string, conditions: [{ field, operator: 'equal' as const, value: String(row[targetField]) }] } }
      : {}),
  };
}

/** Returns the text by which users know a row: its name if they may see it, or else its id. */
export function rowName(entity: Entity, row: Row): string {
  const named = nameField(entity);
  return String((named !== undefined && !isHidden(entity, named) && row[named]) || row.id);
}
