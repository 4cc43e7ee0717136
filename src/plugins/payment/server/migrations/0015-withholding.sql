-- Tax that is withheld from a payout: the advertiser pays the amount, the payee receives the rest.
alter table payout add column withheld bigint not null default 0, add constraint payout_withheld check (withheld >= 0 and withheld < amount);
alter table payout add column net_amount bigint not null generated always as (amount - withheld) stored;

create or replace function keep_payout() returns trigger language plpgsql as $$
begin
  if (new.pay_no, new.submission_id, new.amount, new.withheld, new.openid, new.advertiser_id)
      is distinct from (old.pay_no, old.submission_id, old.amount, old.withheld, old.openid, old.advertiser_id)
    or old.state in (2, 3, 4) and new.state <> old.state then
    raise exception 'payout % is not changed', old.pay_no;
  end if;
  return new;
end $$;

alter table ledger_posting drop constraint ledger_posting_account_check, add constraint ledger_posting_account_check check (account between 1 and 5);

-- Books a paid payout with tax in one entry: the net amount is paid, the tax is owed to the tax authority.
create function settle_withheld(of_advertiser bigint, gross bigint, tax bigint, bill text, actor bigint) returns bigint language plpgsql as $$
declare
  entry bigint := next_id();
  whose text := (select tenant_id from advertiser where id = of_advertiser);
begin
  insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no, create_user)
  values (whose, entry, 4, 3, of_advertiser, -gross, bill, actor), (whose, entry, 4, 4, of_advertiser, gross - tax, bill, actor),
    (whose, entry, 4, 5, of_advertiser, tax, bill, actor);
  return entry;
end $$;

alter table ledger_account_title drop constraint ledger_account_title_account_check, add constraint ledger_account_title_account_check check (account between 1 and 5);
create or replace function preset_account_titles() returns table (account integer, code text, name text) language sql immutable as $$
  values (1, '2203', '预收账款'), (2, '1002', '银行存款'), (3, '2241', '其他应付款'), (4, '1012', '其他货币资金'), (5, '2221', '应交税费')
$$;
