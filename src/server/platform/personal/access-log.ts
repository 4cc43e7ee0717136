import { sql } from 'drizzle-orm';
import type { PersonalAction } from '#shared/personal-data';
import { currentActor } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';

/** Entry of the log of personal data: someone has read values without a mask, or erased them. */
export interface PersonalAccessRecord {
  readonly action: PersonalAction;
  /** Entity whose rows were read; `person` for everything about one person. */
  readonly entity: string;
  /** The record, if it was a single one. */
  readonly recordId?: string;
  /** Names of the fields; never their values. */
  readonly fields: readonly string[];
  /** Number of records; 1 by default. */
  readonly rows?: number;
  readonly requestId?: string;
  /** User who has read or erased them; the actor by default. */
  readonly userId?: string;
}

const maxFields = 500;

/** Writes an entry to the log of personal data, in the current transaction of its tenant. */
export async function recordPersonalAccess(
  db: Database,
  { action, entity, recordId, fields, rows = 1, requestId, userId }: PersonalAccessRecord,
): Promise<void> {
  const user = userId ?? (currentActor()?.userId || null);
  await db.sql.execute(sql`
    insert into personal_access (user_id, user_name, action, entity, record_id, fields, rows, request_id, create_user)
    select ${user}::bigint, coalesce((select coalesce(nullif(real_name, ''), account) from user_account where id = ${user}::bigint), '-'), ${action}, ${entity},
      ${recordId ?? null}::bigint, ${fields.join(', ').slice(0, maxFields)}, ${rows}, ${requestId ?? null}, ${user}::bigint`);
}
