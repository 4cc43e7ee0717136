-- Both sides of every movement of money. Written once and never changed, by nobody.
create table ledger_posting (
  like base_row including all,
  entry_id bigint not null,
  kind integer not null check (kind between 1 and 6),
  account integer not null check (account between 1 and 4),
  advertiser_id bigint not null references advertiser (id),
  amount bigint not null check (amount <> 0),
  pay_no varchar(32),
  remark varchar(255)
);

call own_by_tenant('ledger_posting');
revoke update, delete on ledger_posting from marquee_tenant;
create index ledger_posting_of_entry on ledger_posting (entry_id);
create index ledger_posting_of_advertiser on ledger_posting (tenant_id, advertiser_id, id);
-- A bill is set aside once, and ends once.
create unique index ledger_posting_once on ledger_posting (pay_no, account, (kind = 3)) where pay_no is not null;

create function keep_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only ever added to';
end $$;

create trigger keep_ledger before update or delete on ledger_posting for each row execute function keep_ledger();
create trigger keep_whole_ledger before truncate on ledger_posting for each statement execute function keep_ledger();

-- What each account comes to; advertiser 0 where it is the tenant's own.
create table ledger_account (
  tenant_id varchar(12) not null,
  account integer not null,
  advertiser_id bigint not null,
  balance bigint not null,
  primary key (tenant_id, account, advertiser_id)
);

call own_by_tenant('ledger_account');

create function add_up_ledger() returns trigger language plpgsql as $$
begin
  insert into ledger_account as kept (tenant_id, account, advertiser_id, balance)
  values (new.tenant_id, new.account, case when new.account = 1 then new.advertiser_id else 0 end, new.amount)
  on conflict (tenant_id, account, advertiser_id) do update set balance = kept.balance + excluded.balance;
  if new.account = 1 then
    update advertiser set balance = balance + new.amount where id = new.advertiser_id;
  end if;
  return null;
end $$;

create trigger add_up_ledger after insert on ledger_posting for each row execute function add_up_ledger();

create function balance_ledger() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from ledger_posting where entry_id = new.entry_id) <> 0 then
    raise exception 'entry % of the ledger does not add up to nothing', new.entry_id;
  end if;
  return null;
end $$;

create constraint trigger balance_ledger after insert on ledger_posting deferrable initially deferred for each row execute function balance_ledger();

-- Moves money from one account to another.
create function move_money(why integer, source integer, target integer, of_advertiser bigint, how_much bigint, bill text, words text, actor bigint)
returns bigint language plpgsql as $$
declare
  entry bigint := next_id();
  whose text := (select tenant_id from advertiser where id = of_advertiser);
begin
  insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no, remark, create_user)
  values (whose, entry, why, source, of_advertiser, -how_much, bill, words, actor), (whose, entry, why, target, of_advertiser, how_much, bill, words, actor);
  return entry;
end $$;

-- Balances that were entered by hand are where the ledger begins.
do $$
declare
  owner record;
begin
  for owner in select id, balance from advertiser where balance <> 0 loop
    update advertiser set balance = 0 where id = owner.id;
    perform move_money(6, 2, 1, owner.id, owner.balance, null, null, null);
  end loop;
end $$;
