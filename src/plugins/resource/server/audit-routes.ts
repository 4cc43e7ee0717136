import { and, eq, sql } from 'drizzle-orm';
import { ApiError, hasId, literals, notDeleted, type PluginRoute, type Principal, problems, recordChange, route, type ServerContext, tableOf } from '#server';
import type { InputOf } from '#shared/contract';
import { DepartResource, kinds, mayBecome, resourceAudit, resourceProblems, standings } from '../contract.ts';
import { ofDepartments, type Resources } from './resources.ts';

const kind = literals(kinds);
const resources = tableOf(DepartResource);
const { status, type } = resources;

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

type Decision = InputOf<typeof resourceAudit.decide>;

/** Decides files, all or none. Of two concurrent decisions one wins; a file that waits again has no auditor and no reason. */
async function decide(db: ServerContext['db'], { userId }: Principal, decision: Decision): Promise<void> {
  const { status } = decision;
  const ids = [...new Set(decision.ids)];
  const reason = decision.reason?.trim() || null;
  if (status === standings.rejected && reason === null) throw new ApiError(resourceProblems.noReason, {}, { field: 'reason' });
  const { id, name, userId: uploader } = resources;
  const columns = { id, name, status: resources.status, userId: uploader };
  const where = and(hasId(resources, ids), eq(type, kind.file), notDeleted(resources), ofDepartments());
  const held = await db.sql.select(columns).from(resources).where(where).orderBy(id).for('update');
  if (held.length !== ids.length) throw new ApiError(problems.notFound);
  for (const one of held) {
    if (one.userId === userId) throw new ApiError(resourceProblems.ownFile);
    if (!mayBecome(status, one.status)) throw new ApiError(resourceProblems.decided, { name: one.name });
  }
  const isDecided = status !== standings.waiting;
  const changed = held.filter((one) => isDecided || one.status !== status);
  const audited = isDecided ? { auditUser: userId, auditTime: sql`date_trunc('second', now())` } : { auditUser: null, auditTime: null };
  const isChanged = hasId(resources, new Set(changed.map((one) => one.id)));
  await db.sql
    .update(resources)
    .set({ status, reason: status === standings.rejected ? reason : null, ...audited })
    .where(isChanged);
  for (const { id, status: was } of changed) recordChange({ entity: DepartResource.name, id, before: { status: was }, after: { status, reason } });
}
