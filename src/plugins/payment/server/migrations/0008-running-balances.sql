-- Accounts are added up by advertiser, all of them, and each posting has the balance of its account after it, so that a balance at any date is one row.
alter table ledger_posting add column balance_after bigint;
alter table ledger_posting disable trigger keep_ledger;
update ledger_posting p set balance_after = running.balance
from (select id, sum(amount) over (partition by tenant_id, account, advertiser_id order by create_time, id) as balance from ledger_posting) running where running.id = p.id;
alter table ledger_posting enable trigger keep_ledger;
alter table ledger_posting alter column balance_after set not null;

delete from ledger_account;
insert into ledger_account (tenant_id, account, advertiser_id, balance)
select tenant_id, account, advertiser_id, sum(amount) from ledger_posting group by tenant_id, account, advertiser_id;

drop trigger add_up_ledger on ledger_posting;
create or replace function add_up_ledger() returns trigger language plpgsql as $$
begin
  insert into ledger_account as kept (tenant_id, account, advertiser_id, balance) values (new.tenant_id, new.account, new.advertiser_id, new.amount)
  on conflict (tenant_id, account, advertiser_id) do update set balance = kept.balance + excluded.balance
  returning balance into new.balance_after;
  if new.account = 1 then
    -- A transaction that waited for the ledger began before others that have posted since; the times of an account follow the order of its postings.
    new.create_time := greatest(new.create_time, (
      select p.create_time from ledger_posting p where p.tenant_id = new.tenant_id and p.advertiser_id = new.advertiser_id and p.account = 1
      order by p.create_time desc limit 1));
    update advertiser set balance = balance + new.amount where id = new.advertiser_id;
  end if;
  return new;
end $$;

create trigger add_up_ledger before insert on ledger_posting for each row execute function add_up_ledger();

-- Statements of an advertiser, and balances at a date.
create index ledger_posting_statement on ledger_posting (tenant_id, advertiser_id, create_time, id) where account = 1;

-- Advertisers whose available money is below the threshold, since when users know it.
create table advertiser_funds_notice (
  tenant_id varchar(12) not null,
  advertiser_id bigint not null references advertiser (id) on delete cascade,
  notified_at timestamptz not null default now(),
  primary key (tenant_id, advertiser_id)
);

call own_by_tenant('advertiser_funds_notice');
