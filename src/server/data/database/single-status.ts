import { type SQL, sql } from 'drizzle-orm';
import { recordChange } from '../context/changes.ts';
import type { Database } from './database.ts';
import { queryRows } from './rows.ts';

/** New status of a row among rows of which at most one is enabled. */
interface SingleStatus {
  readonly id: string;
  readonly status: number;
  readonly enabled: number;
  readonly off: number;
}

/**
 * Sets the status of a row, and records it in the history. Enabling one switches the others off first, so that two are never enabled, not even within a statement.
 * Lock the list first.
 */
export async function setSingleStatus(db: Database, { name }: { readonly name: string }, { id, status, enabled, off }: SingleStatus): Promise<void> {
  if (status === enabled) await setStatus(db, name, sql`id <> ${id}::bigint and status = ${enabled} and is_deleted = 0`, off);
  await setStatus(db, name, sql`id = ${id}::bigint and status <> ${status} and is_deleted = 0`, status);
}

async function setStatus(db: Database, entity: string, where: SQL, status: number): Promise<void> {
  const table = sql.identifier(entity);
  const changed = await queryRows<{ id: string; before: number }>(
    db,
    sql`update ${table} changed set status = ${status} from (select id, status from ${table} where ${where} for update) former
        where changed.id = former.id returning changed.id::text as id, former.status as before`,
  );
  for (const { id, before } of changed) recordChange({ entity, id, before: { status: before }, after: { status } });
}
