-- Payouts of before begin with the state in which they were found. A row has the id of its payout, so that it precedes what triggers write meanwhile.
insert into payout_state (id, tenant_id, payout_id, pay_no, state, amount, withheld, submission_id, advertiser_id, user_id, openid, account_kind, gateway, provider_no,
  approved_by, outcome, outcome_no, recorded_by, paid_time)
select id, tenant_id, id, pay_no, state, amount, withheld, submission_id, advertiser_id, user_id, openid, account_kind, gateway, provider_no, approved_by, outcome,
  outcome_no, recorded_by, paid_time
from payout p where not exists (select from payout_state s where s.payout_id = p.id);
