import { sql } from 'drizzle-orm';
import type { SealedTable } from '#server';

/** Payouts of a tenant that are not as the last of their states says, or that are missing. */
const differingPayouts: SealedTable['differing'] = (tenant) => sql`
  (select 'payout ' || p.pay_no as name from payout p
   left join lateral (select * from payout_state s where s.payout_id = p.id order by s.id desc limit 1) s on true
   where p.tenant_id = ${tenant}
     and (p.tenant_id, p.pay_no, p.state, p.amount, p.withheld, p.submission_id, p.advertiser_id, p.user_id, p.openid, p.account_kind, p.gateway, p.provider_no, p.approved_by,
       p.outcome, p.outcome_no, p.recorded_by, p.paid_time)
     is distinct from (s.tenant_id, s.pay_no, s.state, s.amount, s.withheld, s.submission_id, s.advertiser_id, s.user_id, s.openid, s.account_kind, s.gateway, s.provider_no,
       s.approved_by, s.outcome, s.outcome_no, s.recorded_by, s.paid_time)
   limit 20)
  union all
  (select distinct 'payout ' || s.pay_no from payout_state s
   where s.tenant_id = ${tenant} and not exists (select from payout p where p.id = s.payout_id) limit 20)`;

/** Tables of money whose rows are written once: the journal, which stays permanently, and the states of payouts. */
export const sealedMoney: readonly SealedTable[] = [
  { table: 'ledger_posting', isPermanent: true },
  { table: 'payout_state', differing: differingPayouts },
];
