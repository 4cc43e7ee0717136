-- What was paid on each day, by task and advertiser: kept with every change of a payout, so that nobody has to add up.
create table payout_day (
  tenant_id varchar(12) not null,
  day date not null,
  task_id bigint not null,
  advertiser_id bigint not null,
  paid integer not null,
  amount bigint not null,
  primary key (tenant_id, day, task_id, advertiser_id)
);

call own_by_tenant('payout_day');

create function add_up_payout_days(moved text) returns text language sql immutable as $$
  select format('
    insert into payout_day as kept (tenant_id, day, task_id, advertiser_id, paid, amount)
    select tenant_id, paid_time::date, task_id, advertiser_id, sum(sign), sum(sign * amount) from (%s) moved
    where state = 2 and paid_time is not null and is_deleted = 0
    group by tenant_id, paid_time::date, task_id, advertiser_id having sum(sign) <> 0 or sum(sign * amount) <> 0
    order by tenant_id, paid_time::date, task_id, advertiser_id
    on conflict (tenant_id, day, task_id, advertiser_id) do update set paid = kept.paid + excluded.paid, amount = kept.amount + excluded.amount', moved)
$$;

create function keep_payout_days() returns trigger language plpgsql as $$
begin
  execute add_up_payout_days(case tg_op
    when 'INSERT' then 'select 1 as sign, * from changed'
    when 'DELETE' then 'select -1 as sign, * from was'
    else 'select 1 as sign, * from changed union all select -1, * from was'
  end);
  return null;
end $$;

create trigger days_inserted after insert on payout referencing new table as changed for each statement execute function keep_payout_days();
create trigger days_updated after update on payout referencing old table as was new table as changed for each statement execute function keep_payout_days();
create trigger days_deleted after delete on payout referencing old table as was for each statement execute function keep_payout_days();

do $$
begin
  execute add_up_payout_days('select 1 as sign, * from payout');
end $$;
