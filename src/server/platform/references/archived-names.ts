import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TSchema } from 'typebox';
import type { InputOf } from '#shared/contract';
import { nameField } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import { archivedNames } from '#shared/record-uses';
import { rowStates } from '#shared/row-states';
import type { Language } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { textArray } from '../../data/database/rows.ts';
import { isHidden, textColumn, visibleRows } from '../../data/repository/row-scope.ts';
import { namedTableOf } from '../../data/schema/table.ts';
import { type Route, route } from '../http/route.ts';

const maxValues = 200;

interface NamedRow {
  readonly value: string;
  readonly title: string;
}

/** Rows by the value of a field, and the language of their titles. */
interface NamesQuestion extends Omit<InputOf<typeof archivedNames>, 'values'> {
  readonly language: Language;
}

/** Reads the titles of archived rows that the actor may see, for a reference that a running plugin declares; runs inside `read`. */
export async function readArchivedNames(db: Database, { entity: name, field, title, language }: NamesQuestion, values: readonly string[]): Promise<NamedRow[]> {
  const entity = db.entities.get(name);
  // Only what references show is answered, because every signed-in user may ask.
  const isDeclared = db.references
    .fieldsTo(name)
    .flat()
    .some((one) => {
      const { reference } = traitsOf(one.entity.fields[one.field] as TSchema) ?? {};
      return one.targetField === field && reference?.title === title;
    });
  if (!entity?.archivable || !isDeclared || values.length === 0) return [];
  const named = Object.hasOwn(entity.fields, title) ? title : nameField(entity);
  if (named === undefined || isHidden(entity, named)) return [];
  const table = namedTableOf(entity);
  const column = sql`${table[field] as PgColumn}::text`;
  const isArchived = sql`${table.isDeleted} = ${sql.raw(String(rowStates.archived))}`;
  const where: SQL | undefined = and(
    isArchived,
    sql`${column} = any(${textArray(values.slice(0, maxValues))})`,
    visibleRows(db, name),
    db.references.restrictionOf(name),
  );
  return db.sql
    .select({ value: sql<string>`${column}`, title: textColumn(entity, named, language) })
    .from(table)
    .where(where);
}

/** Serves the titles of archived rows. */
export const archivedNameRoutes = (db: Database): Route[] => [
  route(archivedNames, ({ input: { values, ...question }, language }) => readArchivedNames(db, { ...question, language }, values.split(','))),
];
