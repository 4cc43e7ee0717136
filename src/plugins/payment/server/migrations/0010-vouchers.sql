-- Receipts and refunds have files, and are reversed by an entry of their own instead of being removed.
alter table ledger_posting add column voucher jsonb, add column reverses bigint;
alter table ledger_posting drop constraint ledger_posting_kind_check, add constraint ledger_posting_kind_check check (kind between 1 and 7);
create unique index ledger_posting_reversal on ledger_posting (reverses, account) where reverses is not null;

drop function move_money(integer, integer, integer, bigint, bigint, text, text, bigint);
create function move_money(why integer, source integer, target integer, of_advertiser bigint, how_much bigint, bill text, words text, actor bigint,
  files jsonb default null, undone bigint default null)
returns bigint language plpgsql as $$
declare
  entry bigint := next_id();
  whose text := (select tenant_id from advertiser where id = of_advertiser);
begin
  insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no, remark, create_user, voucher, reverses)
  values (whose, entry, why, source, of_advertiser, -how_much, bill, words, actor, files, undone),
    (whose, entry, why, target, of_advertiser, how_much, bill, words, actor, files, undone);
  return entry;
end $$;
