-- Lists of the payouts of one advertiser and of one run come in the order of the index, however many there are.
drop index payout_of_advertiser;
create index payout_of_advertiser on payout (tenant_id, advertiser_id, create_time, id);
drop index payout_of_run;
create index payout_of_run on payout (tenant_id, batch_no, create_time, id);

-- Payments of many payouts are booked at once too, each with the tax that was withheld from it.
create or replace function move_money_of_payouts(why integer, source integer, target integer, of_payouts bigint[], actor bigint) returns void language plpgsql as $$
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
    select p.id, p.tenant_id, p.advertiser_id, p.pay_no, p.amount, case why when 4 then p.withheld else 0 end as tax, next_id() as entry_id from payout p where p.id = any(of_payouts)
  ), sides as (
    select m.*, side.account, side.change, sum(side.change) over (partition by side.account, m.tenant_id, m.advertiser_id order by m.id) as so_far,
      sum(side.change) over (partition by side.account, m.tenant_id, m.advertiser_id) as total
    from moved m cross join lateral (values (source, -m.amount), (target, m.amount - m.tax), (5, m.tax)) side (account, change) where side.change <> 0
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

drop function settle_withheld(bigint, bigint, bigint, text, bigint);
