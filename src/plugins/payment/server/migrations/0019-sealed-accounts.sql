-- Accounts of payees are encrypted by the server, which has the key and writes what lists show of them. It also encrypts those of earlier releases, in batches.
alter table payout alter column account_mask drop expression;
alter table payout alter column account type text;
create index payout_plain_account on payout (id) where account <> '' and account not like 'sealed:%';

create or replace function keep_payout_account() returns trigger language plpgsql as $$
declare
  encrypts boolean := coalesce(old.account not like 'sealed:%' and new.account like 'sealed:%', false);
begin
  if (new.account_kind, new.account_name, new.bank) is distinct from (old.account_kind, old.account_name, old.bank)
      or (new.account, new.account_mask) is distinct from (old.account, old.account_mask) and not encrypts then
    raise exception 'the account of payout % is not changed', old.pay_no;
  end if;
  return new;
end $$;
