import { and, sql } from 'drizzle-orm';
import { ApiError, type PluginRoute, type Principal, problems, queryRows, recordChange, route, type ServerContext, tableOf } from '#server';
import type { InputOf } from '#shared/contract';
import { DepartResource, kinds, mayBecome, resourceAudit, resourceProblems, standings } from '../contract.ts';
import { idArray, ofDepartments, type Resources } from './resources.ts';

const { status, type } = tableOf(DepartResource);

/** Serves the calls of resource auditors. */
export function auditRoutes({ db }: Pick<ServerContext, 'db'>, { rows }: Resources): PluginRoute[] {
  return [
    route(resourceAudit.list, ({ input }) => {
      const isAsked = Object.keys(input).some((name) => name.startsWith('status'));
      return rows.page(input, and(sql`${type} = ${kinds.file}`, isAsked ? undefined : sql`${status} = ${standings.waiting}`));
    }),
    route(resourceAudit.decide, ({ input, principal }) => decide(db, principal, input)),
  ];
}

interface LockedResource {
  readonly id: string;
  readonly name: string;
  readonly status: number;
  readonly userId: string;
}

type Decision = InputOf<typeof resourceAudit.decide>;

/** Decides files, all or none. Of two concurrent decisions one wins; a file that waits again has no auditor and no reason. */
async function decide(db: ServerContext['db'], { userId }: Principal, decision: Decision): Promise<void> {
  const { status } = decision;
  const ids = [...new Set(decision.ids)];
  const reason = decision.reason?.trim() || null;
  if (status === standings.rejected && reason === null) throw new ApiError(resourceProblems.noReason, {}, { field: 'reason' });
  const held = await queryRows<LockedResource>(
    db,
    sql`select id::text as id, name, status, user_id::text as "userId" from depart_resource
        where id = any(${idArray(ids)}) and type = 2 and is_deleted = 0 and ${ofDepartments()} order by id for update`,
  );
  if (held.length !== ids.length) throw new ApiError(problems.notFound);
  for (const one of held) {
    if (one.userId === userId) throw new ApiError(resourceProblems.ownFile);
    if (!mayBecome(status, one.status)) throw new ApiError(resourceProblems.decided, { name: one.name });
  }
  const isDecided = status !== standings.waiting;
  const changed = held.filter((one) => isDecided || one.status !== status);
  await db.sql.execute(
    sql`update depart_resource set status = ${status}, reason = ${status === standings.rejected ? reason : null}, audit_user = ${isDecided ? userId : null},
          audit_time = ${isDecided ? sql`date_trunc('second', now())` : null} where id = any(${idArray(changed.map(({ id }) => id))})`,
  );
  for (const { id, status: was } of changed) recordChange({ entity: DepartResource.name, id, before: { status: was }, after: { status, reason } });
}
