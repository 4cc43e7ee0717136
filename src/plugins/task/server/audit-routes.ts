import { sql } from 'drizzle-orm';
import {
  orderedBy,
  type PluginRoute,
  queryRows,
  repositoryOf,
  route,
  runBatch,
  type SearchSource,
  type ServerContext,
  searchSource,
  visibleRows,
} from '#server';
import type { InputOf, ListInput } from '#shared/contract';
import { isEmpty } from '#shared/text';
import { type AuditorFigure, audit, Submission } from '../contract.ts';
import { recordMenu } from '../menus.ts';
import { Decisions } from './decisions.ts';
import { AuditQueue, type QueueInvalidation } from './queue.ts';
import { reviewState } from './states.ts';

/** Audited submissions, found by their task, worker and payment number. */
export function auditRecords(db: ServerContext['db']): SearchSource {
  const submissions = repositoryOf(db, Submission);
  return searchSource({
    entity: Submission,
    menu: recordMenu.code,
    list: audit.records,
    repository: submissions,
    fields: ['nickName', 'phone', 'taskTitle', 'payNo', 'platformAccount'],
    subtitle: ['taskTitle', 'phone', 'auditStatus'],
    where: () => sql`${submissions.table.auditTime} is not null`,
  });
}

/** Serves the calls of auditors. */
export function auditRoutes(context: Pick<ServerContext, 'db' | 'parameters' | 'webhooks'>, invalidation: QueueInvalidation): PluginRoute[] {
  const { db } = context;
  const submissions = repositoryOf(db, Submission);
  const queue = new AuditQueue(context);
  const decisions = new Decisions(context);

  return [
    // The state is a filter rather than a condition of our own, because filtered statements are prepared once and served by an index.
    route(audit.pending, ({ input }) => {
      const order = { ascs: 'submit_time' };
      // A state in the request narrows the queue further; other states match no rows.
      if (hasStateFilter(input)) return submissions.page(orderedBy(Submission, input, order), sql`${submissions.table.auditStatus} = ${reviewState.pending}`);
      return submissions.page(orderedBy(Submission, { ...input, auditStatus_equal: 0 }, order));
    }),
    route(audit.records, ({ input }) =>
      submissions.page(orderedBy(Submission, input, { descs: 'audit_time' }), sql`${submissions.table.auditTime} is not null`),
    ),
    route(audit.counts, ({ principal }) => queue.counts(principal)),
    route(audit.figures, ({ input }) => figuresOf(db, input)),
    // Leasing does not signal a change: consoles react to the signal by leasing, which would repeat without end.
    route(audit.lease, ({ input, principal }) => queue.lease(principal, input)),
    route(audit.peek, ({ input, principal }) => queue.peek(principal, input.size)),
    route(audit.release, async ({ input, principal }) => {
      invalidation.markStale(principal.tenantId);
      await queue.release(principal, input.ids);
    }),
    route(audit.decide, async ({ input: { id, ids = [], ...decision }, principal, language }) => {
      invalidation.markStale(principal.tenantId);
      let count = 0;
      const input = { ids: id ? [id, ...ids] : ids, ...(decision.partial ? { partial: true } : {}) };
      const result = await runBatch(db, Submission, { input, language }, async (some) => {
        count += (await decisions.decide(principal, { ...decision, ids: [...some] })).count;
      });
      return { count, ...result };
    }),
    route(audit.undo, async ({ input, principal }) => {
      invalidation.markStale(principal.tenantId);
      await decisions.undo(principal, input.ids);
    }),
  ];
}

const hasStateFilter = ({ auditStatus, auditStatus_equal }: ListInput): boolean => !isEmpty(auditStatus) || !isEmpty(auditStatus_equal);

/** Maximum number of days in one request. */
const maxDays = 92;

/** Returns the number of decisions per auditor in a period, by default today, the highest first. */
function figuresOf(db: ServerContext['db'], { from, to }: InputOf<typeof audit.figures>): Promise<AuditorFigure[]> {
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
