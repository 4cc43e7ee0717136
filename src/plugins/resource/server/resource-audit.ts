import { and, eq, sql } from 'drizzle-orm';
import {
  ApiError,
  type FigureSource,
  hasId,
  isActive,
  literals,
  type PluginRoute,
  type Principal,
  problems,
  queryRows,
  recordChange,
  route,
  runBatch,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import { type InputOf, maxCountedRows } from '#shared/contract';
import { auditStates, canTransition, DepartResource, resourceAudit, resourceProblems, resourceTypes } from '../contract.ts';
import { resourceAuditMenu } from '../menus.ts';
import { inOwnDepartments, type Resources } from './resources.ts';

const resources = tableOf(DepartResource);
const isFile = eq(resources.type, literals(resourceTypes).file);

/** Serves the calls of resource auditors. Without a status filter their list shows the files that wait for a decision. */
export function auditRoutes({ db }: Pick<ServerContext, 'db'>, { rows }: Resources): PluginRoute[] {
  return [
    route(resourceAudit.list, ({ input }) => {
      const hasStatusFilter = Object.keys(input).some((name) => name.startsWith('status'));
      return rows.page(input, and(isFile, hasStatusFilter ? undefined : eq(resources.status, literals(auditStates).pending)));
    }),
    route(resourceAudit.decide, (request) =>
      runBatch(db, DepartResource, request, (ids) => decide(db, request.principal, { ...request.input, ids: [...ids] })),
    ),
  ];
}

/** Decides files, all or none. Of two concurrent decisions one wins; a file that waits again has no auditor and no reason. */
async function decide(db: ServerContext['db'], { userId }: Principal, decision: InputOf<typeof resourceAudit.decide>): Promise<void> {
  const { status } = decision;
  const ids = [...new Set(decision.ids)];
  const reason = decision.reason?.trim() || null;
  if (status === auditStates.rejected && reason === null) throw new ApiError(resourceProblems.reasonMissing, {}, { field: 'reason' });
  const { id, name, userId: uploader } = resources;
  const columns = { id, name, status: resources.status, userId: uploader };
  const where = and(hasId(resources, ids), isFile, isActive(resources), inOwnDepartments());
  const locked = await db.sql.select(columns).from(resources).where(where).orderBy(id).for('update');
  if (locked.length !== ids.length) throw new ApiError(problems.notFound);
  for (const file of locked) {
    if (file.userId === userId) throw new ApiError(resourceProblems.ownFile);
    if (!canTransition(status, file.status)) throw new ApiError(resourceProblems.alreadyReviewed, { name: file.name });
  }
  const isDecided = status !== auditStates.pending;
  const changed = locked.filter((file) => isDecided || file.status !== status);
  const audited = isDecided ? { auditUser: userId, auditTime: sql`date_trunc('second', now())` } : { auditUser: null, auditTime: null };
  const isChanged = hasId(resources, new Set(changed.map((file) => file.id)));
  await db.sql
    .update(resources)
    .set({ status, reason: status === auditStates.rejected ? reason : null, ...audited })
    .where(isChanged);
  for (const { id, status: previous } of changed) recordChange({ entity: DepartResource.name, id, before: { status: previous }, after: { status, reason } });
}

/** Metric of files in the user's departments that wait for an audit. */
export function auditFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'resource:audit',
    code: resourceAuditMenu.code,
    entities: [DepartResource.name],
    sort: 90,
    isPersonal: true,
    async read() {
      const [counted] = await queryRows<{ count: number }>(
        db,
        sql`select count(*)::integer as count from (select from ${resources} where type = ${resourceTypes.file} and status = ${auditStates.pending} and is_deleted = 0
              and ${inOwnDepartments()} and ${visibleRows(db, DepartResource.name)} limit ${maxCountedRows}) waiting`,
      );
      return { waiting: [{ id: 'resource', title: ['待审核资源', 'Files to review'], count: counted?.count ?? 0, rows: { menu: resourceAuditMenu.code } }] };
    },
  };
}
