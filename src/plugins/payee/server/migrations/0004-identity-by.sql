-- The user who entered or changed the identity or an account last; another user verifies it. Nobody for payees that no user has filled in.
alter table payee add column identity_by bigint, add column identity_by_name varchar(64);

create or replace function name_payee() returns trigger language plpgsql as $$
begin
  new.id := new.user_id;
  if new.nick_name = '' then
    new.nick_name := coalesce((select coalesce(nullif(u.name, ''), nullif(u.real_name, ''), u.account) from user_account u where u.id = new.user_id), '');
  end if;
  if coalesce(new.name, new.document_no, new.alipay_account, new.bank_name, new.bank_card) is not null or new.document_kind is not null then
    new.identity_by := new.create_user;
    new.identity_by_name := (select u.real_name from user_account u where u.id = new.create_user);
  end if;
  return new;
end $$;

create or replace function reopen_payee() returns trigger language plpgsql as $$
begin
  if (new.name, new.document_kind, new.document_no, new.alipay_account, new.bank_name, new.bank_card)
      is distinct from (old.name, old.document_kind, old.document_no, old.alipay_account, old.bank_name, old.bank_card) then
    new.state := 0;
    new.reviewer_name := null;
    new.review_time := null;
    new.reason := null;
    new.identity_by := new.update_user;
    new.identity_by_name := (select u.real_name from user_account u where u.id = new.update_user);
  end if;
  return new;
end $$;

-- The last user who changed an unverified payee counts as the one who entered it; a review is the last change of the others.
update payee p set identity_by = u.id, identity_by_name = u.real_name from user_account u
where u.id = case when p.state = 0 then coalesce(p.update_user, p.create_user) else p.create_user end
  and (coalesce(p.name, p.document_no, p.alipay_account, p.bank_name, p.bank_card) is not null or p.document_kind is not null);
