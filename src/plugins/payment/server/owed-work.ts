import { and, sql } from 'drizzle-orm';
import { Submission, undoSeconds } from '#plugins/task/contract';
import { repositoryOf, type ServerContext } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import type { payable } from '../contract.ts';
import { payState, reviewState } from './states.ts';

/** Lists approved work that is not paid and whose approval can no longer be undone, the longest waiting first. */
export function owedWorkOf(db: ServerContext['db']): (input: InputOf<typeof payable.list>) => Promise<ReplyOf<typeof payable.list>> {
  const submissions = repositoryOf(db, Submission);
  const { auditStatus, auditTime, payStatus } = submissions.table;
  const owed = and(
    sql`${auditStatus} = ${reviewState.approved} and ${payStatus} in (${payState.unpaid}, ${payState.failed})`,
    sql`${auditTime} <= now() - make_interval(secs => ${undoSeconds})`,
  );
  return (input) => submissions.page(input.ascs || input.descs ? input : { ...input, ascs: 'audit_time' }, owed);
}
