import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';
import { dayStates, differenceKinds, differenceStates, payoutStates } from '../contract.ts';
import type { StatementLine } from '../server-extension.ts';
import { manualGateway } from './manual-gateway.ts';

const { localOnly, providerOnly, amount, state } = differenceKinds;
const { open, settled, closed } = differenceStates;

/** Replaces the stored statement of a day and compares it. Call within a transaction of the tenant. */
export async function compareDay(db: Database, tenantId: string, day: string, lines: readonly StatementLine[]): Promise<void> {
  await db.lock(`reconciliation of ${tenantId}`);
  await db.sql.execute(sql`delete from payment_bill_line where day = ${day}`);
  await db.sql.execute(
    sql`insert into payment_bill_line (day, pay_no, provider_no, amount)
        select ${day}::date, left(told."payNo", 64), left(told."providerNo", 64), told.amount
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as told ("payNo" text, "providerNo" text, amount bigint)`,
  );
  await db.sql.execute(
    sql`insert into payment_reconciliation (day, compared_time) values (${day}, date_trunc('second', now())) on conflict (tenant_id, day)
        do update set note = null, next_try = null, tries = 0, compared_time = excluded.compared_time, update_time = date_trunc('second', now())`,
  );
  await compareStored(db, tenantId, day);
}

/** Compares a day with its stored statement, which stays as old as it is. Differences that no longer exist are settled; closed ones stay closed. */
export async function compareStored(db: Database, tenantId: string, day: string): Promise<void> {
  await db.lock(`reconciliation of ${tenantId}`);
  const [{ id } = { id: '' }] = await queryRows<{ id: string }>(db, sql`select id::text as id from payment_reconciliation where day = ${day}`);
  await writeDifferences(db, day, id);
  // A payout on the statement of a later day was not missing after all.
  const late = await queryRows<{ id: string }>(
    db,
    sql`update payment_difference d set state = ${settled}, handled_time = date_trunc('second', now()) where d.kind = ${localOnly} and d.state = ${open}
          and d.day < ${day} and d.pay_no in (select pay_no from payment_bill_line where day = ${day}) returning d.reconciliation_id::text as id`,
  );
  await db.sql.execute(
    sql`update payment_reconciliation r set our_count = ours.count, our_amount = ours.sum, their_count = theirs.count, their_amount = theirs.sum
        from (select count(*) as count, coalesce(sum(p.net_amount), 0) as sum from payout p
              where p.is_deleted = 0 and p.state = ${payoutStates.paid} and p.gateway <> ${manualGateway} and p.paid_time >= ${day}::date and p.paid_time < ${day}::date + 1) ours,
          (select count(distinct pay_no) as count, coalesce(sum(amount), 0) as sum from payment_bill_line where day = ${day}) theirs
        where r.id = ${id}`,
  );
  for (const touched of new Set([id, ...late.map((one) => one.id)])) await updateTotals(db, touched);
}

/** Counts the differences of a day and updates its state. A day that was compared before its end has no complete statement yet, and is compared again. */
export async function updateTotals(db: Database, id: string): Promise<void> {
  await db.sql.execute(
    sql`update payment_reconciliation r set differences = found.all, open = found.open,
          state = case when r.compared_time < r.day + 1 then ${dayStates.awaitingStatement}::integer when found.open > 0 then ${dayStates.mismatched} when found.closed > 0 then ${dayStates.resolved} else ${dayStates.matched} end
        from (select count(*) as all, count(*) filter (where d.state = ${open}) as open, count(*) filter (where d.state = ${closed}) as closed
              from payment_difference d where d.reconciliation_id = ${id}) found
        where r.id = ${id}`,
  );
}

/**
 * Looks up each payout by its number, because a plan made for few statement lines would scan all of them per payout. The amount includes all movements up to that day, so
 * a payout that came back on a later day no longer counts as paid.
 */
async function writeDifferences(db: Database, day: string, reconciliationId: string): Promise<void> {
  await db.sql.execute(
    sql`with theirs as (
          select today.pay_no, moved.provider_no, moved.amount
          from (select distinct pay_no from payment_bill_line where day = ${day}) today cross join lateral (
            select max(l.provider_no) as provider_no, sum(l.amount) as amount from payment_bill_line l where l.pay_no = today.pay_no and l.day <= ${day}) moved
        ), judged as (
          select case when p.id is null then case when t.amount <> 0 then ${providerOnly}::integer end
                      when t.amount not in (0, p.net_amount) then ${amount}
                      when (p.state = ${payoutStates.paid}) <> (t.amount <> 0) then ${state} end as kind,
            t.pay_no, coalesce(t.provider_no, p.provider_no) as provider_no, p.net_amount as ours, t.amount as theirs, p.state as our_state
          from theirs t left join payout p on p.pay_no = t.pay_no
          union all
          select ${localOnly}::integer, p.pay_no, p.provider_no, p.net_amount, null, p.state from payout p
          where p.is_deleted = 0 and p.state = ${payoutStates.paid} and p.gateway <> ${manualGateway} and p.paid_time >= ${day}::date and p.paid_time < ${day}::date + 1
            and (select 1 from payment_bill_line l where l.pay_no = p.pay_no limit 1) is null
        ), found as (select * from judged where kind is not null), kept as (
          insert into payment_difference as kept (reconciliation_id, day, kind, pay_no, provider_no, our_amount, their_amount, our_state)
          select ${reconciliationId}::bigint, ${day}::date, kind, pay_no, provider_no, ours, theirs, our_state from found
          on conflict (reconciliation_id, pay_no, kind, tenant_id) do update set our_amount = excluded.our_amount, their_amount = excluded.their_amount,
            our_state = excluded.our_state, provider_no = excluded.provider_no,
            state = case when kept.state = ${settled} and kept.kind <> ${localOnly} then ${open} else kept.state end
        )
        update payment_difference d set state = ${settled}, handled_time = date_trunc('second', now())
        where d.reconciliation_id = ${reconciliationId} and d.state = ${open} and not exists (select from found f where f.pay_no = d.pay_no and f.kind = d.kind)`,
  );
}
