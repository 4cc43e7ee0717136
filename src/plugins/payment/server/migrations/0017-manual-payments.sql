-- Payments made outside of any provider are recorded with a voucher, and reversed instead of removed.
alter table payout add column voucher jsonb, add column remark varchar(255);
alter table payout drop constraint payout_state_check, add constraint payout_state_check check (state between 0 and 5);
alter table payout add constraint payout_reversed check (state <> 5 or gateway = 'manual');

create or replace function keep_payout() returns trigger language plpgsql as $$
begin
  if (new.pay_no, new.submission_id, new.amount, new.withheld, new.openid, new.advertiser_id)
      is distinct from (old.pay_no, old.submission_id, old.amount, old.withheld, old.openid, old.advertiser_id)
    or old.state in (2, 3, 4, 5) and new.state <> old.state and not (old.state = 2 and new.state = 5) then
    raise exception 'payout % is not changed', old.pay_no;
  end if;
  return new;
end $$;

-- A run counts reversed payouts as rejected ones: neither has moved money.
create or replace function move_payment_runs() returns trigger language plpgsql as $$
begin
  update payment_run r set awaiting = r.awaiting + moved.awaiting, processing = r.processing + moved.processing, paid = r.paid + moved.paid,
    failed = r.failed + moved.failed, refused = r.refused + moved.refused, paid_amount = r.paid_amount + moved.paid_amount,
    approver_name = coalesce(moved.approver_name, r.approver_name), update_time = date_trunc('second', now())
  from (
    select n.tenant_id, n.batch_no, max(n.approver_name) as approver_name, sum((n.state = 0)::integer - (o.state = 0)::integer) as awaiting,
      sum((n.state = 1)::integer - (o.state = 1)::integer) as processing, sum((n.state = 2)::integer - (o.state = 2)::integer) as paid,
      sum((n.state = 3)::integer - (o.state = 3)::integer) as failed, sum((n.state in (4, 5))::integer - (o.state in (4, 5))::integer) as refused,
      sum(case when n.state = 2 then n.amount else 0 end - case when o.state = 2 then o.amount else 0 end) as paid_amount
    from after n join before o on o.id = n.id where o.state <> n.state group by n.tenant_id, n.batch_no
  ) moved where r.tenant_id = moved.tenant_id and r.run_no = moved.batch_no;
  return null;
end $$;

-- A payout ends once, and a paid one is reversed once.
drop index ledger_posting_once;
create unique index ledger_posting_once on ledger_posting (pay_no, account, (kind = 3), (reverses is not null)) where pay_no is not null;

-- Returns what a paid payout has moved to the advertiser: the entry of its payment with opposite amounts, in which the advertiser takes the place of the transit.
create function reverse_settlement(bill text, words text, actor bigint) returns void language plpgsql as $$
declare
  entry bigint := next_id();
begin
  insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no, remark, create_user, reverses)
  select tenant_id, entry, 5, case account when 3 then 1 else account end, advertiser_id, -amount, pay_no, words, actor, entry_id
  from ledger_posting where pay_no = bill and kind = 4 order by account;
  if not found then
    raise exception 'payout % is not in the ledger', bill;
  end if;
end $$;
