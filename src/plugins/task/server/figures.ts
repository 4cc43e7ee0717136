import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext, visibleRows } from '#server';
import type { InputOf } from '#shared/contract';
import type { AuditorFigure, audit } from '../contract.ts';
import { reviewState } from './states.ts';

/** Maximum number of days in one request. */
const maxDays = 92;

/** Returns the number of decisions per auditor in a period, by default today, the highest first. */
export function figuresOf(db: ServerContext['db'], { from, to }: InputOf<typeof audit.figures>): Promise<AuditorFigure[]> {
  const last = sql`coalesce(${to ?? null}::date, current_date)`;
  const first = sql`greatest(coalesce(${from ?? null}::date, ${last}), ${last} - ${maxDays - 1}::integer)`;
  return queryRows<AuditorFigure>(
    db,
    sql`select audit_user::text as "auditUser", max(auditor_name) as "auditorName",
          count(*) filter (where audit_status = ${reviewState.approved})::integer as passed, count(*) filter (where audit_status = ${reviewState.rejected})::integer as rejected
        from task_submission s where audit_time >= (${first})::timestamptz and audit_time < (${last} + 1)::timestamptz and is_deleted = 0 and ${visibleRows(db, 'task_submission', 's')}
        group by audit_user order by count(*) desc, audit_user limit 500`,
  );
}
