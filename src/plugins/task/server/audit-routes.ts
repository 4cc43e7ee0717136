import { repositoryOf, type ServerContext } from '#server';
import type { ListInput } from '#shared/contract';
import { audit, Submission } from '../contract.ts';
import { Decisions } from './decisions.ts';
import { figuresOf } from './figures.ts';
import { AuditQueue } from './queue.ts';
import type { QueueNews } from './queue-news.ts';

/** What auditors ask and do. */
export function serveAudit(context: Pick<ServerContext, 'serve' | 'db' | 'parameters'>, news: QueueNews): void {
  const { serve, db } = context;
  const submissions = repositoryOf(db, Submission);
  const queue = new AuditQueue(context);
  const decisions = new Decisions(db);
  // As filters rather than conditions of our own: their statements are prepared once and served by an index.
  serve(audit.waiting, ({ input }) => submissions.page(sorted({ ...input, auditStatus: undefined, auditStatus_equal: 0 }, { ascs: 'submit_time' })));
  serve(audit.records, ({ input }) => submissions.page(sorted({ ...input, auditTime_notnull: 1 }, { descs: 'audit_time' })));
  serve(audit.counts, ({ principal }) => queue.counts(principal));
  serve(audit.figures, ({ input }) => figuresOf(db, input));
  // No news: who hears of the queue takes from it, and would be heard of without end.
  serve(audit.take, ({ input, principal }) => queue.take(principal, input));
  serve(audit.release, async ({ input, principal }) => {
    news.note(principal.tenantId);
    await queue.release(principal, input.ids);
    return null;
  });
  serve(audit.decide, ({ input, principal }) => {
    news.note(principal.tenantId);
    return decisions.decide(principal, input);
  });
  serve(audit.undo, async ({ input, principal }) => {
    news.note(principal.tenantId);
    await decisions.undo(principal, input.ids);
    return null;
  });
}

const sorted = (input: ListInput, order: Pick<ListInput, 'ascs' | 'descs'>): ListInput => (input.ascs || input.descs ? input : { ...input, ...order });
