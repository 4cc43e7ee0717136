-- The payouts of one request, with their numbers and sums by state, which triggers keep.
create table payment_run (
  like base_row including all,
  run_no varchar(32) not null,
  requester_name varchar(64) not null default '',
  approver_name varchar(64),
  reason varchar(255),
  resolved boolean not null default false,
  payouts integer not null,
  people integer not null,
  advertisers integer not null,
  amount bigint not null,
  awaiting integer not null,
  processing integer not null,
  paid integer not null,
  failed integer not null,
  refused integer not null,
  paid_amount bigint not null,
  state integer not null generated always as (
    case when awaiting > 0 then 0 when processing > 0 then 1 when failed > 0 and not resolved then 3 when paid > 0 or failed > 0 then 2 else 4 end) stored,
  check (awaiting >= 0 and processing >= 0 and paid >= 0 and failed >= 0 and refused >= 0 and awaiting + processing + paid + failed + refused = payouts)
);

call own_by_tenant('payment_run');
create unique index payment_run_no on payment_run (tenant_id, run_no);
create index payment_run_of_state on payment_run (tenant_id, state, create_time, id) where is_deleted = 0;
create index payout_of_run on payout (tenant_id, batch_no);

create function add_payment_runs() returns trigger language plpgsql as $$
begin
  insert into payment_run as kept (tenant_id, run_no, requester_name, approver_name, create_user, create_dept, create_time, payouts, people, advertisers, amount,
    awaiting, processing, paid, failed, refused, paid_amount)
  select tenant_id, batch_no, min(requester_name), min(approver_name), min(create_user), min(create_dept), min(create_time), count(*), count(distinct user_id),
    count(distinct advertiser_id), sum(amount), count(*) filter (where state = 0), count(*) filter (where state = 1), count(*) filter (where state = 2),
    count(*) filter (where state = 3), count(*) filter (where state = 4), coalesce(sum(amount) filter (where state = 2), 0)
  from added group by tenant_id, batch_no order by tenant_id, batch_no
  on conflict (tenant_id, run_no) do update set payouts = kept.payouts + excluded.payouts, people = kept.people + excluded.people,
    advertisers = greatest(kept.advertisers, excluded.advertisers), amount = kept.amount + excluded.amount, awaiting = kept.awaiting + excluded.awaiting,
    processing = kept.processing + excluded.processing, paid = kept.paid + excluded.paid, failed = kept.failed + excluded.failed, refused = kept.refused + excluded.refused,
    paid_amount = kept.paid_amount + excluded.paid_amount;
  return null;
end $$;

create function move_payment_runs() returns trigger language plpgsql as $$
begin
  update payment_run r set awaiting = r.awaiting + moved.awaiting, processing = r.processing + moved.processing, paid = r.paid + moved.paid,
    failed = r.failed + moved.failed, refused = r.refused + moved.refused, paid_amount = r.paid_amount + moved.paid_amount,
    approver_name = coalesce(moved.approver_name, r.approver_name), update_time = date_trunc('second', now())
  from (
    select n.tenant_id, n.batch_no, max(n.approver_name) as approver_name, sum((n.state = 0)::integer - (o.state = 0)::integer) as awaiting,
      sum((n.state = 1)::integer - (o.state = 1)::integer) as processing, sum((n.state = 2)::integer - (o.state = 2)::integer) as paid,
      sum((n.state = 3)::integer - (o.state = 3)::integer) as failed, sum((n.state = 4)::integer - (o.state = 4)::integer) as refused,
      coalesce(sum(n.amount) filter (where n.state = 2), 0) as paid_amount
    from after n join before o on o.id = n.id where o.state <> n.state group by n.tenant_id, n.batch_no
  ) moved where r.tenant_id = moved.tenant_id and r.run_no = moved.batch_no;
  return null;
end $$;

create trigger add_payment_runs after insert on payout referencing new table as added for each statement execute function add_payment_runs();
create trigger move_payment_runs after update on payout referencing old table as before new table as after for each statement execute function move_payment_runs();

insert into payment_run (tenant_id, run_no, requester_name, approver_name, create_user, create_dept, create_time, payouts, people, advertisers, amount,
  awaiting, processing, paid, failed, refused, paid_amount)
select tenant_id, batch_no, min(requester_name), min(approver_name), min(create_user), min(create_dept), min(create_time), count(*), count(distinct user_id),
  count(distinct advertiser_id), sum(amount), count(*) filter (where state = 0), count(*) filter (where state = 1), count(*) filter (where state = 2),
  count(*) filter (where state = 3), count(*) filter (where state = 4), coalesce(sum(amount) filter (where state = 2), 0)
from payout group by tenant_id, batch_no;
