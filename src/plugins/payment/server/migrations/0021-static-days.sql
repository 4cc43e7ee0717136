-- The sums by day are kept by statements that are planned once instead of with every change of a payout.
create or replace function keep_payout_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into payout_day as kept (tenant_id, day, task_id, advertiser_id, paid, amount)
    select tenant_id, paid_time::date, task_id, advertiser_id, count(*), sum(changed.amount) from changed
    where state = 2 and paid_time is not null and is_deleted = 0
    group by tenant_id, paid_time::date, task_id, advertiser_id order by tenant_id, paid_time::date, task_id, advertiser_id
    on conflict (tenant_id, day, task_id, advertiser_id) do update set paid = kept.paid + excluded.paid, amount = kept.amount + excluded.amount;
  elsif tg_op = 'DELETE' then
    insert into payout_day as kept (tenant_id, day, task_id, advertiser_id, paid, amount)
    select tenant_id, paid_time::date, task_id, advertiser_id, -count(*), -sum(was.amount) from was
    where state = 2 and paid_time is not null and is_deleted = 0
    group by tenant_id, paid_time::date, task_id, advertiser_id order by tenant_id, paid_time::date, task_id, advertiser_id
    on conflict (tenant_id, day, task_id, advertiser_id) do update set paid = kept.paid + excluded.paid, amount = kept.amount + excluded.amount;
  else
    insert into payout_day as kept (tenant_id, day, task_id, advertiser_id, paid, amount)
    select tenant_id, paid_time::date, task_id, advertiser_id, sum(sign), sum(sign * moved.amount)
    from (select 1 as sign, tenant_id, paid_time, task_id, advertiser_id, changed.amount, state, is_deleted from changed
          union all select -1, tenant_id, paid_time, task_id, advertiser_id, was.amount, state, is_deleted from was) moved
    where state = 2 and paid_time is not null and is_deleted = 0
    group by tenant_id, paid_time::date, task_id, advertiser_id having sum(sign) <> 0 or sum(sign * moved.amount) <> 0
    order by tenant_id, paid_time::date, task_id, advertiser_id
    on conflict (tenant_id, day, task_id, advertiser_id) do update set paid = kept.paid + excluded.paid, amount = kept.amount + excluded.amount;
  end if;
  return null;
end $$;
