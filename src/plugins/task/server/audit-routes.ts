import { sql } from 'drizzle-orm';
import { type PluginRoute, repositoryOf, route, type ServerContext } from '#server';
import type { ListInput } from '#shared/contract';
import { isEmpty } from '#shared/text';
import { audit, Submission } from '../contract.ts';
import { Decisions } from './decisions.ts';
import { figuresOf } from './figures.ts';
import { AuditQueue } from './queue.ts';
import type { QueueInvalidation } from './queue-invalidation.ts';
import { reviewState } from './states.ts';

/** Serves the calls of auditors. */
export function auditRoutes(context: Pick<ServerContext, 'db' | 'parameters'>, invalidation: QueueInvalidation): PluginRoute[] {
  const { db } = context;
  const submissions = repositoryOf(db, Submission);
  const queue = new AuditQueue(context);
  const decisions = new Decisions(db);

  return [
    // The state is a filter rather than a condition of our own, because filtered statements are prepared once and served by an index.
    route(audit.waiting, ({ input }) => {
      const order = { ascs: 'submit_time' };
      // A state in the request narrows the queue further; other states match no rows.
      if (namesState(input)) return submissions.page(sorted(input, order), sql`${submissions.table.auditStatus} = ${reviewState.pending}`);
      return submissions.page(sorted({ ...input, auditStatus_equal: 0 }, order));
    }),
    route(audit.records, ({ input }) => submissions.page(sorted({ ...input, auditTime_notnull: 1 }, { descs: 'audit_time' }))),
    route(audit.counts, ({ principal }) => queue.counts(principal)),
    route(audit.figures, ({ input }) => figuresOf(db, input)),
    // Leasing does not signal a change: consoles react to the signal by leasing, which would repeat without end.
    route(audit.take, ({ input, principal }) => queue.lease(principal, input)),
    route(audit.release, async ({ input, principal }) => {
      invalidation.markStale(principal.tenantId);
      await queue.release(principal, input.ids);
    }),
    route(audit.decide, ({ input, principal }) => {
      invalidation.markStale(principal.tenantId);
      return decisions.decide(principal, input);
    }),
    route(audit.undo, async ({ input, principal }) => {
      invalidation.markStale(principal.tenantId);
      await decisions.undo(principal, input.ids);
    }),
  ];
}

const namesState = ({ auditStatus, auditStatus_equal }: ListInput): boolean => !isEmpty(auditStatus) || !isEmpty(auditStatus_equal);

const sorted = (input: ListInput, order: Pick<ListInput, 'ascs' | 'descs'>): ListInput => (input.ascs || input.descs ? input : { ...input, ...order });
