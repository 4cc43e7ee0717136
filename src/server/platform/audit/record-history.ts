import { isDeepStrictEqual } from 'node:util';
import { type SQL, sql } from 'drizzle-orm';
import type { ChangeAction } from '#shared/change-actions';
import type { Entity } from '#shared/contract';
import { type ChangedValue, isTracked } from '#shared/history-schemas';
import { isEmpty } from '#shared/text';
import { type RecordedChange, takeChanges } from '../../data/context/changes.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { isId } from '../../data/database/rows.ts';
import { holdsFiles } from '../../data/repository/signed-links.ts';
import { maskedValue } from '../../data/scope/personal-fields.ts';
import { storableJson } from './log-buffer.ts';
import { isSecretName, masked } from './masking.ts';

/** One row of the history of records. */
export interface HistoryRow {
  readonly tenantId: string;
  readonly entity: string;
  readonly recordId: string;
  readonly action: ChangeAction;
  readonly userId: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly requestId: string | null;
  readonly fields: Readonly<Record<string, ChangedValue>>;
}

/** Stores changes outside of requests, for which the API log has no entry; rows of the current tenant and of others alike. */
export async function storeHistory(db: Database, changes: readonly RecordedChange[]): Promise<void> {
  const rows = historyRows(db.entities, changes);
  const own = rows.filter(({ tenantId }) => tenantId === db.tenantId);
  if (own.length > 0) await db.sql.execute(insertHistory(own));
  await storeOtherTenants(db, rows);
}

/** Stores the changes of the current transaction so far, so that one with many rows does not collect them until its end. */
export async function flushChanges(db: Database): Promise<void> {
  await db.storeChanges?.(takeChanges());
}

/** Stores the rows that belong to another tenant than the current work. */
export async function storeOtherTenants(db: Database, rows: readonly HistoryRow[]): Promise<void> {
  const others = rows.filter(({ tenantId }) => tenantId !== db.tenantId);
  if (others.length === 0) return;
  await db.asPlatform('stores changes of rows of other tenants', async () => {
    await db.sql.execute(insertHistory(others));
  });
}

/** Builds the statement that inserts any number of rows, passed as one JSON document. */
export const insertHistory = (rows: readonly HistoryRow[]): SQL => sql`
  insert into record_change (tenant_id, entity, record_id, action, user_id, method, path, request_id, fields)
  select h."tenantId", h.entity, h."recordId", h.action, h."userId", h.method, h.path, h."requestId", h.fields
  from jsonb_to_recordset(${storableJson(rows)}::jsonb) as h(
    "tenantId" text, entity text, "recordId" bigint, action text, "userId" bigint, method text, path text, "requestId" text, fields jsonb)`;

/** Compares the rows before and after each change; several changes of a record in one transaction become one. */
export function historyRows(entities: ReadonlyMap<string, Entity>, changes: readonly RecordedChange[]): HistoryRow[] {
  const rows = new Map<string, HistoryRow>();
  for (const change of changes) {
    const entity = entities.get(change.entity);
    if (!entity?.history || !isId(change.id)) continue;
    const key = `${change.entity} ${change.id}`;
    const earlier = rows.get(key);
    rows.set(key, earlier ? merged(earlier, rowOf(entity, change)) : rowOf(entity, change));
  }
  return [...rows.values()].filter(({ action, fields }) => action !== 'updated' || Object.keys(fields).length > 0);
}

function rowOf(entity: Entity, change: RecordedChange): HistoryRow {
  const { id, before, after, tenantId, userId, source } = change;
  const stored = after ?? before;
  return {
    tenantId: tenantId ?? (typeof stored?.tenantId === 'string' ? stored.tenantId : platformTenant),
    entity: entity.name,
    recordId: id,
    action: actionOf(change),
    userId: userId ?? null,
    method: source?.method ?? null,
    path: source?.path ?? null,
    requestId: source?.requestId ?? null,
    fields: after && change.action === undefined ? changedFields(entity, before, after) : {},
  };
}

function actionOf({ before, after, action, source }: RecordedChange): ChangeAction {
  if (action) return action;
  if (!after) return 'deleted';
  if (before) return 'updated';
  return source?.isImport ? 'imported' : 'created';
}

/** Joins two changes of one record; a field that has its first value again has not changed. */
function merged(earlier: HistoryRow, later: HistoryRow): HistoryRow {
  const fields: Record<string, ChangedValue> = { ...earlier.fields };
  for (const [name, [from, to]] of Object.entries(later.fields)) {
    const [first] = earlier.fields[name] ?? [from];
    if (isDeepStrictEqual(first, to)) delete fields[name];
    else fields[name] = [first, to];
  }
  return { ...earlier, action: later.action === 'updated' ? earlier.action : later.action, fields };
}

function changedFields(entity: Entity, before: RecordedChange['before'], after: NonNullable<RecordedChange['after']>): Record<string, ChangedValue> {
  const fields: Record<string, ChangedValue> = {};
  for (const [name, value] of Object.entries(after)) {
    const from = before?.[name] ?? null;
    const to = value ?? null;
    if (from === to || !isStorable(entity, name, [from, to]) || isDeepStrictEqual(from, to)) continue;
    // A new record begins with what was entered; defaults of fields that no form contains say nothing.
    if (!before && (isEmpty(to) || !Object.hasOwn(entity.form.properties, name))) continue;
    fields[name] = [maskedValue(entity, name, from), maskedValue(entity, name, to)];
  }
  return fields;
}

/** Tests whether values of a field may be stored: never those that a log would mask. Fields that plugins add are named `plugin:field`. */
function isStorable({ fields, related }: Entity, name: string, values: ChangedValue): boolean {
  const schema = fields[name] ?? related[name];
  if (name.includes(':') ? schema : !isTracked(name, schema)) return false;
  if (isSecretName(name) && values.some((value) => typeof value === 'string' || (typeof value === 'object' && value !== null))) return false;
  // Links to files are stored in a form that grants no access.
  return (schema && holdsFiles(schema)) || values.every((value) => isDeepStrictEqual(masked(value), value));
}
