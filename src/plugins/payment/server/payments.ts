import { sql } from 'drizzle-orm';
import { undoSeconds } from '#plugins/task/contract';
import type { WorkPay } from '#plugins/task/server-extension';
import { type Principal, problems, Refusal, recordChange, rowsOf, type ServerContext, seenRows } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { accounts, moves, Payout, type payable, paymentProblems, payoutStates, WorkPaying } from '../contract.ts';
import type { Ledger } from './ledger.ts';
import { Limits } from './limits.ts';

/** Ids as PostgreSQL takes many at once. */
export const idArray = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::bigint[]`;

/** What is known of a submission that is to be paid for. */
interface Owed {
  readonly id: string;
  readonly taskId: string;
  readonly title: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly nickName: string;
  readonly openid: string | null;
  readonly amount: number;
  readonly auditStatus: number;
  readonly payStatus: number;
  /** Its auditor may still take the approval back. */
  readonly isFresh: boolean;
}

type Begun = ReplyOf<typeof payable.pay>['payouts'][number];

/** Whoever asks for payments; nobody where the server pays by itself. */
type Payer = Pick<Principal, 'tenantId'> & Partial<Pick<Principal, 'userId' | 'deptId'>>;

/** Begins payments: sets the money aside and gives each a bill, which is sent afterwards. However many ask at once, a submission gets one. */
export class Payments {
  private readonly limits: Limits;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters' | 'applyFilters'>,
    private readonly ledger: Ledger,
    private readonly work: WorkPay,
  ) {
    this.limits = new Limits(context, ledger);
  }

  async pay(payer: Payer, { id, ids = [] }: InputOf<typeof payable.pay>): Promise<ReplyOf<typeof payable.pay>> {
    const wanted = [...new Set(id ? [id, ...ids] : ids)];
    if (wanted.length === 0) throw new Refusal(problems.missingParameter, { name: 'ids' });
    await this.ledger.hold(payer.tenantId);
    const owed = await this.owed(wanted);
    const open = owed.filter(({ payStatus }) => payStatus === 0 || payStatus === 3);
    for (const one of open) refuseUnpayable(one, payer.userId);
    if (open.length > 0) {
      await this.context.applyFilters(
        WorkPaying,
        open.map(({ id, taskId, advertiserId, userId, amount }) => ({ submissionId: id, taskId, advertiserId, userId, amount })),
      );
      await this.begin(payer, open);
    }
    const begun = await this.billsOf(wanted);
    const first = begun.find((one) => one.id === wanted[0]) as Begun;
    return { payNo: first.payNo, state: first.state, payouts: begun };
  }

  private async begin({ userId, deptId }: Payer, owed: readonly Owed[]): Promise<void> {
    const needsApproval = await this.limits.judge(userId, owed);
    const state = needsApproval ? payoutStates.awaiting : payoutStates.underWay;
    const bills = await rowsOf<{ id: string; submissionId: string; payNo: string; advertiserId: string; amount: number }>(
      this.context.db,
      sql`insert into payout (batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, requester_name, create_user, create_dept)
          select 'B' || batch.no, s.id, s.task_id, s.task_title, t.advertiser_id, s.user_id, s.nick_name, wallet.openid, s.amount, ${state},
            coalesce((select real_name from user_account where id = ${userId ?? null}::bigint), ''), ${userId ?? null}::bigint, ${deptId ?? null}::bigint
          from task_submission s join task t on t.id = s.task_id cross join (select next_id() as no) batch
          join unnest(${idArray(owed.map(({ id }) => id))}, ${`{${owed.map(({ openid }) => JSON.stringify(openid)).join(',')}}`}::text[]) wallet (id, openid) on wallet.id = s.id
          order by s.id returning id::text as id, submission_id::text as "submissionId", pay_no as "payNo", advertiser_id::text as "advertiserId", amount::float8 as amount`,
    );
    const { advertiser, underWay } = accounts;
    for (const { id, submissionId: _, ...bill } of bills) {
      await this.ledger.move({ kind: moves.reserved, from: advertiser, to: underWay, ...bill });
      recordChange({ entity: Payout.name, id, before: undefined, after: { payNo: bill.payNo, amount: bill.amount, state } });
    }
    await this.work.begun(bills);
  }

  /** Kept from others until the transaction ends, in the order everybody takes them. */
  private async owed(ids: readonly string[]): Promise<Owed[]> {
    const { db } = this.context;
    const rows = await rowsOf<Owed>(
      db,
      sql`select s.id::text as id, s.task_id::text as "taskId", s.task_title as title, t.advertiser_id::text as "advertiserId", s.user_id::text as "userId",
            s.nick_name as "nickName", s.amount::float8 as amount, s.audit_status as "auditStatus", s.pay_status as "payStatus",
            s.audit_time > now() - make_interval(secs => ${undoSeconds}) as "isFresh",
            coalesce(s.openid, (select o.uuid from user_oauth o where o.user_id = s.user_id and o.is_deleted = 0 and o.source like 'wechat%' order by o.id limit 1)) as openid
          from task_submission s join task t on t.id = s.task_id
          where s.id = any(${idArray(ids)}) and s.is_deleted = 0 and ${seenRows(db, 'task_submission', 's')} order by s.id for update of s`,
    );
    if (rows.length !== ids.length) throw new Refusal(problems.notFound);
    return rows;
  }

  private billsOf(ids: readonly string[]): Promise<Begun[]> {
    return rowsOf<Begun>(
      this.context.db,
      sql`select submission_id::text as id, pay_no as "payNo", state from payout where submission_id = any(${idArray(ids)}) and state in (0, 1, 2)
          order by array_position(${idArray(ids)}, submission_id)`,
    );
  }
}

function refuseUnpayable({ title, nickName, userId, openid, auditStatus, isFresh }: Owed, payer: string | undefined): void {
  if (auditStatus !== 1) throw new Refusal(paymentProblems.notApproved, { title });
  if (isFresh) throw new Refusal(paymentProblems.tooEarly, { title, seconds: undoSeconds });
  if (userId === payer) throw new Refusal(paymentProblems.ownWork);
  if (!openid) throw new Refusal(paymentProblems.noWallet, { name: nickName });
}
