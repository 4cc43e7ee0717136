import { sql } from 'drizzle-orm';
import { type Principal, problems, Refusal, recordChange, rowsOf, type ServerContext } from '#server';
import { DepartResource, mayBecome, resourceProblems, standings } from '../contract.ts';
import { idArray, ofDepartments } from './resources.ts';

interface Held {
  readonly id: string;
  readonly name: string;
  readonly status: number;
  readonly userId: string;
}

type Decision = { readonly ids: readonly string[]; readonly status: 1 | 2; readonly reason?: string | null };

/** Decides on files, all that are named or none: what waits is approved or rejected, what was approved may be withdrawn. Of two at once one wins. */
export async function decide(db: ServerContext['db'], { userId }: Principal, decision: Decision): Promise<void> {
  const { status } = decision;
  const ids = [...new Set(decision.ids)];
  const reason = decision.reason?.trim() || null;
  if (status === standings.rejected && reason === null) throw new Refusal(resourceProblems.noReason, {}, { field: 'reason' });
  const held = await rowsOf<Held>(
    db,
    sql`select id::text as id, name, status, user_id::text as "userId" from depart_resource
        where id = any(${idArray(ids)}) and type = 2 and is_deleted = 0 and ${ofDepartments()} order by id for update`,
  );
  if (held.length !== ids.length) throw new Refusal(problems.notFound);
  for (const one of held) {
    if (one.userId === userId) throw new Refusal(resourceProblems.ownFile);
    if (!mayBecome(status, one.status)) throw new Refusal(resourceProblems.decided, { name: one.name });
  }
  await db.sql.execute(
    sql`update depart_resource set status = ${status}, reason = ${status === standings.rejected ? reason : null}, audit_user = ${userId},
          audit_time = date_trunc('second', now()) where id = any(${idArray(ids)})`,
  );
  for (const { id, status: was } of held) recordChange({ entity: DepartResource.name, id, before: { status: was }, after: { status, reason } });
}
