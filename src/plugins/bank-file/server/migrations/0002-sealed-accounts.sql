-- Accounts of payees are encrypted by the server, which has the key and writes what lists show of them. It also encrypts those of earlier releases, in batches.
alter table bank_file_line alter column account_mask drop expression, alter column account_mask set default '';
alter table bank_file_line alter column account type text;
create index bank_file_line_plain_account on bank_file_line (id) where account <> '' and account not like 'sealed:%';

create or replace function keep_bank_file_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.file_id, new.pay_no, new.name, new.bank, new.amount, new.note_to_payee) is distinct from
        (old.file_id, old.pay_no, old.name, old.bank, old.amount, old.note_to_payee) or old.outcome <> 0 and new.outcome <> old.outcome
      or (new.account, new.account_mask) is distinct from (old.account, old.account_mask) and not (old.account not like 'sealed:%' and new.account like 'sealed:%') then
      raise exception 'line % is not changed', old.pay_no;
    end if;
    update bank_file set paid = paid + (new.outcome = 1)::integer - (old.outcome = 1)::integer, failed = failed + (new.outcome = 2)::integer - (old.outcome = 2)::integer
    where id = new.file_id and new.outcome <> old.outcome;
  else
    update bank_file set lines = lines + 1, amount = bank_file.amount + new.amount where id = new.file_id;
  end if;
  return new;
end $$;
