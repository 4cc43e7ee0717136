-- Tenants that have ever set up a real provider: they are never paid for by the sandbox again.
create table payment_provided (
  tenant_id varchar(12) primary key
);

call own_by_tenant('payment_provided');

create function record_provided() returns trigger language plpgsql as $$
begin
  insert into payment_provided (tenant_id) values (new.tenant_id) on conflict do nothing;
  return new;
end $$;

-- The configurations of a provider are real.
create procedure provides_payment(of_table regclass) language plpgsql as $$
begin
  execute format('create trigger record_provided after insert on %s for each row execute function record_provided()', of_table);
  execute format('insert into payment_provided (tenant_id) select distinct tenant_id from %s on conflict do nothing', of_table);
end $$;

call provides_payment('pay_channel');

-- The account that a payout is sent to; that of WeChat is its openid. The mask is what lists show.
alter table payout add column account_kind integer not null default 1 check (account_kind between 1 and 3),
  add column account varchar(128),
  add column account_name varchar(64),
  add column bank varchar(64),
  add column account_mask varchar(64) generated always as (
    case when length(account) > 7 then left(account, 3) || '****' || right(account, 4) when account is not null then left(account, 1) || '****' end) stored,
  add check ((account_kind = 1) = (account is null));

create function keep_payout_account() returns trigger language plpgsql as $$
begin
  if (new.account_kind, new.account, new.account_name, new.bank) is distinct from (old.account_kind, old.account, old.account_name, old.bank) then
    raise exception 'the account of payout % is not changed', old.pay_no;
  end if;
  return new;
end $$;

create trigger keep_payout_account before update on payout for each row execute function keep_payout_account();

create function payout_channel(gateway text) returns integer language sql immutable as $$
  select case when gateway = '' then null when gateway = 'sandbox' then 1 when gateway like 'wechat:%' then 2 when gateway like 'alipay:%' then 3
    when gateway like 'bank-file:%' then 4 when gateway = 'manual' then 5 else 9 end
$$;

alter table payout drop column channel;
alter table payout add column channel integer generated always as (payout_channel(gateway)) stored;
