import { eq, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { ApiError, problem } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { boundsMessage, boundsOf, findViolation, pastMessage, type WithinRule } from '#shared/rules';
import { isEmpty, type LocalizedText } from '#shared/text';
import type { Database } from '../database/database.ts';
import { queryRows } from '../database/rows.ts';
import { namedTableOf } from '../schema/table.ts';
import type { RowValues } from './row-values.ts';

const refuse = (message: LocalizedText, name: string): never => {
  throw new ApiError(problem(400, message), {}, { field: name });
};

/** Throws an `ApiError` 400 that names the field: for the first rule that the resulting row breaks, or for a new or changed time in the past. */
export async function assertFieldRules(db: Database, entity: Entity, row: RowValues, before: RowValues | undefined): Promise<void> {
  const violation = findViolation(entity.rules, entity.fields, row);
  if (violation) refuse(violation.message, violation.name);
  await assertNotPast(db, entity, row, before);
  for (const rule of entity.rules) if (rule.kind === 'within') await assertWithinBounds(db, entity, rule, row);
}

async function assertNotPast(db: Database, entity: Entity, row: RowValues, before: RowValues | undefined): Promise<void> {
  const changed = Object.entries(entity.form.properties as Record<string, TSchema>).filter(
    ([name, schema]) => traitsOf(schema)?.notPast && !isEmpty(row[name]) && row[name] !== before?.[name],
  );
  if (changed.length === 0) return;
  // The session's time zone is that of the deployment, in which the wire format states times.
  const [clock] = await queryRows<{ now: string }>(db, sql`select to_char(now(), 'YYYY-MM-DD HH24:MI:SS') as now`);
  for (const [name, schema] of changed) {
    const message = pastMessage(schema, row[name], clock?.now ?? '');
    if (message) refuse(message, name);
  }
}

/** Compares with the bounds of the referenced record; a reference to none is reported elsewhere. */
async function assertWithinBounds(db: Database, entity: Entity, rule: WithinRule, row: RowValues): Promise<void> {
  const other = db.entities.get(rule.entity);
  const id = row[rule.reference];
  const schema = entity.fields[rule.field];
  if (!other || !schema || isEmpty(id)) return;
  const table = namedTableOf(other);
  const [record] = await db.sql
    .select({ [rule.minimum]: table[rule.minimum] as never, [rule.maximum]: table[rule.maximum] as never })
    .from(table)
    .where(eq(table.id, id));
  const message = record && boundsMessage(schema, row[rule.field], boundsOf(rule, record));
  if (message) refuse(message, rule.field);
}
