-- Moves the money of many payouts at once, an entry for each. One at a time, each posting would wade through the versions of the sums that those before it have left in the
-- same transaction, and the time would grow with the square of the number.
create function move_money_of_payouts(why integer, source integer, target integer, of_payouts bigint[], actor bigint) returns void language plpgsql as $$
declare
  clock ledger_clock;
begin
  -- As each posting does alone: the clock of the tenant is taken first, and nothing is booked into closed books.
  for clock in
    insert into ledger_clock as kept (tenant_id, last_time) select distinct tenant_id, date_trunc('second', now()) from payout where id = any(of_payouts)
    on conflict (tenant_id) do update set last_time = greatest(kept.last_time, excluded.last_time) returning *
  loop
    if date_trunc('second', now()) < clock.closed_before then
      raise exception 'the books are closed until %', clock.closed_before using errcode = 'MQ010';
    end if;
  end loop;
  with moved as materialized (
    select p.id, p.tenant_id, p.advertiser_id, p.pay_no, p.amount, next_id() as entry_id from payout p where p.id = any(of_payouts)
  ), sides as (
    select m.*, side.account, side.sign * m.amount as change,
      sum(side.sign * m.amount) over (partition by side.account, m.tenant_id, m.advertiser_id order by m.id) as so_far,
      sum(side.sign * m.amount) over (partition by side.account, m.tenant_id, m.advertiser_id) as total
    from moved m cross join (values (source, -1), (target, 1)) side (account, sign)
  ), kept as (
    insert into ledger_account as kept (tenant_id, account, advertiser_id, balance)
    select tenant_id, account, advertiser_id, sum(change) from sides group by tenant_id, account, advertiser_id order by tenant_id, account, advertiser_id
    on conflict (tenant_id, account, advertiser_id) do update set balance = kept.balance + excluded.balance
    returning tenant_id, account, advertiser_id, balance
  ), balances as (
    update advertiser a set balance = a.balance + changed.total
    from (select advertiser_id, sum(change) as total from sides where account = 1 group by advertiser_id) changed where a.id = changed.advertiser_id
  ), latest as (
    select k.*, c.last_time as time from kept k join ledger_clock c on c.tenant_id = k.tenant_id
  )
  insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, balance_after, pay_no, create_user, create_time)
  select s.tenant_id, s.entry_id, why, s.account, s.advertiser_id, s.change, l.balance - s.total + s.so_far, s.pay_no, actor, l.time
  from sides s join latest l on l.tenant_id = s.tenant_id and l.account = s.account and l.advertiser_id = s.advertiser_id order by s.id, s.change;
end $$;

-- A posting that already has its balance is in the sums.
drop trigger add_up_ledger on ledger_posting;
create trigger add_up_ledger before insert on ledger_posting for each row when (new.balance_after is null) execute function add_up_ledger();

-- The sum of an entry is found by its number: a plan that also knows the tenant, made while the ledger was small, would read all of the tenant's postings for each of a batch.
alter function balance_ledger() security definer;
alter function balance_ledger() set search_path from current;
alter function balance_ledger() set enable_seqscan = off;

-- The payouts of one payee, and of one state.
create index payout_of_payee on payout (tenant_id, user_id, create_time, id) where is_deleted = 0;
create index payout_of_state on payout (tenant_id, state, create_time, id) where is_deleted = 0;
