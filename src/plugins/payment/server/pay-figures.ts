import { and, eq, sql } from 'drizzle-orm';
import { advertiser } from '#plugins/base-data/contract';
import { payStates, Submission, undoSeconds } from '#plugins/task/contract';
import { canSeeField, currentActor, type FigureSource, isActive, queryRows, type ServerContext, tableOf, visibleRows } from '#server';
import { maxCountedRows } from '#shared/contract';
import { type AlertFigure, rowsOf } from '#shared/figures';
import { Difference, dayStates, ledger, ledgerAccounts, Payout, payable, payout, payoutStates, Reconciliation, reconciliation } from '../contract.ts';
import { ledgerMenu, payMenu, payoutMenu, reconciliationMenu } from '../menus.ts';
import { spendFigures } from './spend-figures.ts';
import { payoutStateSql, payStateSql, reviewStateSql } from './states.ts';

type PayFigureContext = Pick<ServerContext, 'db'>;

const stuckHours = 24;
const maxNamed = 4;
const payouts = tableOf(Payout);

/** Metrics of payments and unpaid work, for the home page. */
export const paymentFigures = (context: PayFigureContext): FigureSource[] => [
  owedFigures(context),
  approvalFigures(context),
  stuckFigures(context),
  balanceFigures(context),
  reconciliationFigures(context),
  spendFigures(context),
];

/** Approved work that is not paid yet, and failed payments. */
function owedFigures({ db }: PayFigureContext): FigureSource {
  return {
    id: 'payment:owed',
    code: payMenu.code,
    entities: [Submission.name],
    async read() {
      const [owed] = await queryRows<{ count: number; amount: number; failed: number }>(
        db,
        sql`select count(*)::integer as count, coalesce(sum(amount), 0)::float8 as amount, count(*) filter (where pay_status = ${payStateSql.failed})::integer as failed from (
              select s.amount, s.pay_status from task_submission s where s.audit_status = ${reviewStateSql.approved} and s.pay_status in (${payStateSql.unpaid}, ${payStateSql.failed}) and s.is_deleted = 0
                and s.audit_time <= now() - make_interval(secs => ${undoSeconds}) and ${visibleRows(db, Submission.name, 's')} limit ${maxCountedRows}) owed`,
      );
      const { count = 0, amount = 0, failed = 0 } = owed ?? {};
      const rows = rowsOf(payable);
      const title = [`${failed} 笔付款失败，待重新付款`, `Failed payments to retry: ${failed}`] as const;
      return {
        waiting: [
          {
            id: 'pay',
            title: ['待付款', 'Pending payment'],
            count,
            ...(canSeeField(Submission.name, 'amount') && count < maxCountedRows ? { amount } : {}),
            rows,
          },
        ],
        alerts: failed > 0 ? [{ id: 'failed', title, tone: 'danger', rows: { ...rows, filters: { payStatus: payStates.failed } } }] : [],
      };
    },
  };
}

/** Payouts the user can approve; users cannot approve payments they have started themselves. */
function approvalFigures({ db }: PayFigureContext): FigureSource {
  return {
    id: 'payment:approval',
    code: 'payout_approve',
    entities: [Payout.name],
    isPersonal: true,
    async read() {
      const [waiting] = await queryRows<{ count: number; amount: number }>(
        db,
        sql`select count(*)::integer as count, coalesce(sum(amount), 0)::float8 as amount from (
              select p.amount from payout p where p.state = ${payoutStateSql.awaiting} and p.is_deleted = 0 and p.create_user is distinct from ${currentActor()?.userId ?? null}::bigint
                and ${visibleRows(db, Payout.name, 'p')} limit ${maxCountedRows}) waiting`,
      );
      const { count = 0, amount = 0 } = waiting ?? {};
      const rows = rowsOf(payout, { state: payoutStates.awaiting });
      return {
        waiting: [{ id: 'approve', title: ['待复核付款', 'Pending approval'], count, ...(canSeeField(Payout.name, 'amount') ? { amount } : {}), rows }],
      };
    },
  };
}

/** Payouts without news from the provider for long. */
function stuckFigures({ db }: PayFigureContext): FigureSource {
  return {
    id: 'payment:stuck',
    code: payoutMenu.code,
    entities: [Payout.name],
    async read() {
      const [limit] = await queryRows<{ before: string }>(
        db,
        sql`select to_char(date_trunc('second', now() - make_interval(hours => ${stuckHours})), 'YYYY-MM-DD HH24:MI:SS') as before`,
      );
      const before = limit?.before ?? '';
      const isOld = sql`${payouts.createTime} < ${before}::timestamptz`;
      const isStuck = and(eq(payouts.state, payoutStateSql.processing), isOld, isActive(payouts), visibleRows(db, Payout.name));
      const count = await db.sql.$count(payouts, isStuck);
      if (count === 0) return {};
      const title = [`${count} 笔付款处理中已超过 ${stuckHours} 小时`, `Payouts processing for more than ${stuckHours} hours: ${count}`] as const;
      const rows = rowsOf(payout, { state: payoutStates.processing }, [{ field: 'createTime', operator: 'datelt', value: before }]);
      return { alerts: [{ id: 'stuck', title, tone: 'warning', rows }] };
    },
  };
}

/** Advertisers whose funds do not cover the unpaid work on their tasks, each by name. */
function balanceFigures({ db }: PayFigureContext): FigureSource {
  return {
    id: 'payment:balance',
    code: ledgerMenu.code,
    entities: [Submission.name, Payout.name, 'advertiser'],
    async read() {
      const underfunded = await queryRows<Underfunded>(
        db,
        sql`select a.id::text as id, a.name, (debts.owed - a.balance - coalesce(a.credit_limit, 0))::float8 as missing, count(*) over ()::integer as count from (
              select s.advertiser_id, sum(s.amount) as owed from task_submission s
              where s.audit_status = ${reviewStateSql.approved} and s.pay_status in (${payStateSql.unpaid}, ${payStateSql.failed}) and s.is_deleted = 0 group by s.advertiser_id
            ) debts join advertiser a on a.id = debts.advertiser_id where debts.owed > a.balance + coalesce(a.credit_limit, 0) and ${visibleRows(db, 'advertiser', 'a')}
            order by missing desc, a.id limit ${maxNamed}`,
      );
      const others = (underfunded[0]?.count ?? 0) - underfunded.length;
      const rest: AlertFigure = {
        id: 'poor',
        title: [`另有 ${others} 个广告主余额不足以支付待付款项`, `Other advertisers with insufficient balance: ${others}`],
        tone: 'danger',
        rows: rowsOf(advertiser),
      };
      return { alerts: [...underfunded.map(alertOf), ...(others > 0 ? [rest] : [])] };
    },
  };
}

interface Underfunded {
  readonly id: string;
  readonly name: string;
  readonly missing: number;
  /** Number of all such advertisers. */
  readonly count: number;
}

/** Names an advertiser and, to those who may see balances, the missing amount; leads to the advertiser’s ledger. */
function alertOf({ id, name, missing }: Underfunded): AlertFigure {
  const amount = (missing / 100).toLocaleString('en', { minimumFractionDigits: 2 });
  const [zh, en] = canSeeField('advertiser', 'balance') ? [`，还差 ¥${amount}`, `: ¥${amount} short`] : ['', ''];
  return {
    id: `poor-${id}`,
    title: [`「${name}」余额不足以支付待付款项${zh}`, `Insufficient balance of ${name}${en}`],
    tone: 'danger',
    rows: rowsOf(ledger, { account: ledgerAccounts.advertiser, advertiserId: id }),
  };
}

/** Days on which payouts and statements differ, for the home page; the alert leads to these days. */
function reconciliationFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'payment:reconciliation',
    code: reconciliationMenu.code,
    entities: [Difference.name, Reconciliation.name],
    async read() {
      const [found] = await queryRows<{ days: number; open: number }>(
        db,
        sql`select count(*)::integer as days, coalesce(sum(r.open), 0)::integer as open from payment_reconciliation r
            where r.state = ${dayStates.mismatched} and r.is_deleted = 0 and ${visibleRows(db, Reconciliation.name, 'r')}`,
      );
      const { days = 0, open = 0 } = found ?? {};
      if (days === 0) return {};
      const alert: AlertFigure = {
        id: 'differences',
        title: [`${days} 天有对账差异待处理，共 ${open} 笔`, `Days with open differences: ${days} (${open} in all)`],
        tone: 'danger',
        rows: rowsOf(reconciliation, { state: dayStates.mismatched }),
      };
      return { alerts: [alert] };
    },
  };
}
