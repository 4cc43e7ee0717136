-- The time of the last posting of each tenant, and the time before which its books are closed. Postings take this row, so that they follow each other and a close waits for them.
create table ledger_clock (
  tenant_id varchar(12) primary key,
  last_time timestamptz(0) not null,
  closed_before timestamptz(0)
);

call own_by_tenant('ledger_clock');

-- The sides of an entry have one time, and balances of all accounts follow the time of their postings.
alter table ledger_posting disable trigger keep_ledger;
update ledger_posting p set create_time = entry.time
from (select entry_id, max(create_time) as time from ledger_posting group by entry_id having min(create_time) <> max(create_time)) entry
where entry.entry_id = p.entry_id and p.create_time <> entry.time;
update ledger_posting p set balance_after = running.balance
from (select id, sum(amount) over (partition by tenant_id, account, advertiser_id order by create_time, id) as balance from ledger_posting) running
where running.id = p.id and running.balance <> p.balance_after;
alter table ledger_posting enable trigger keep_ledger;

insert into ledger_clock (tenant_id, last_time) select tenant_id, max(create_time) from ledger_posting group by tenant_id;

create or replace function add_up_ledger() returns trigger language plpgsql as $$
declare
  clock ledger_clock;
begin
  insert into ledger_clock as kept (tenant_id, last_time) values (new.tenant_id, new.create_time)
  on conflict (tenant_id) do update set last_time = greatest(kept.last_time, excluded.last_time)
  returning * into clock;
  -- A transaction that began before the end of a month may have waited until the month was closed.
  if new.create_time < clock.closed_before then
    raise exception 'the books are closed until %', clock.closed_before using errcode = 'MQ010';
  end if;
  -- Times follow the order of postings, also of transactions that have waited for others.
  new.create_time := clock.last_time;
  insert into ledger_account as kept (tenant_id, account, advertiser_id, balance) values (new.tenant_id, new.account, new.advertiser_id, new.amount)
  on conflict (tenant_id, account, advertiser_id) do update set balance = kept.balance + excluded.balance
  returning balance into new.balance_after;
  if new.account = 1 then
    update advertiser set balance = balance + new.amount where id = new.advertiser_id;
  end if;
  return new;
end $$;

-- Balances of any account at a date.
drop index ledger_posting_statement;
create index ledger_posting_of_account on ledger_posting (tenant_id, account, advertiser_id, create_time, id);

create table ledger_month (
  like base_row including all,
  month varchar(7) not null check (month ~ '^\d{4}-\d{2}$'),
  state integer not null check (state in (1, 2)),
  open_differences integer not null,
  uncompared_days integer not null,
  closer_name varchar(64) not null,
  closed_time timestamptz(0) not null,
  reason varchar(255),
  reopener_name varchar(64),
  reopened_time timestamptz(0)
);

call own_by_tenant('ledger_month');
call sort_by('ledger_month', 'month');
create unique index ledger_month_once on ledger_month (tenant_id, month);

-- Codes and names of the accounts in the books of a tenant, where they differ from the preset ones.
create table ledger_account_title (
  tenant_id varchar(12) not null,
  account integer not null check (account between 1 and 4),
  code varchar(32) not null,
  name varchar(64) not null,
  primary key (tenant_id, account)
);

call own_by_tenant('ledger_account_title');

create function preset_account_titles() returns table (account integer, code text, name text) language sql immutable as $$
  values (1, '2203', '预收账款'), (2, '1002', '银行存款'), (3, '2241', '其他应付款'), (4, '1012', '其他货币资金')
$$;

-- Postings as the lines of journal entries: what an account receives is a credit.
create view ledger_journal with (security_invoker = true) as
select p.id, p.tenant_id, p.create_user, p.create_dept, p.create_time, p.update_user, p.update_time, p.status, p.is_deleted, p.entry_id,
  coalesce(own.code, preset.code)::varchar(32) as account_code, coalesce(own.name, preset.name)::varchar(64) as account_name,
  greatest(-p.amount, 0) as debit, greatest(p.amount, 0) as credit, p.advertiser_id, a.name as advertiser_name, p.pay_no, p.remark, p.kind
from ledger_posting p
join advertiser a on a.id = p.advertiser_id
join preset_account_titles() preset on preset.account = p.account
left join ledger_account_title own on own.tenant_id = p.tenant_id and own.account = p.account;

grant select on ledger_journal to marquee_tenant;
