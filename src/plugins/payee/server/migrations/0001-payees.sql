-- One row for each user who is or will be paid; its id is that of the user, so that rows of a user are found by it.
create table payee (
  like base_row including all,
  user_id bigint not null,
  nick_name varchar(64) not null default '',
  state integer not null default 0 check (state between 0 and 2),
  name varchar(64),
  document_kind integer,
  document_no text,
  document_mask varchar(64),
  alipay_account text,
  alipay_mask varchar(128),
  bank_name varchar(64),
  bank_card text,
  bank_mask varchar(64),
  consent_time timestamptz(0),
  consent_version varchar(32),
  consent_recorder varchar(64),
  reviewer_name varchar(64),
  review_time timestamptz(0),
  reason varchar(255),
  revealed_by varchar(64),
  revealed_time timestamptz(0),
  reveals integer not null default 0
);

call own_by_tenant('payee');
create unique index payee_of_user on payee (tenant_id, user_id);
create index payee_of_state on payee (tenant_id, state, create_time, id) where is_deleted = 0;

create function name_payee() returns trigger language plpgsql as $$
begin
  new.id := new.user_id;
  if new.nick_name = '' then
    new.nick_name := coalesce((select coalesce(nullif(u.name, ''), nullif(u.real_name, ''), u.account) from user_account u where u.id = new.user_id), '');
  end if;
  return new;
end $$;

create trigger name_payee before insert on payee for each row execute function name_payee();

-- A verification holds for what has been verified.
create function reopen_payee() returns trigger language plpgsql as $$
begin
  if (new.name, new.document_kind, new.document_no, new.alipay_account, new.bank_name, new.bank_card)
      is distinct from (old.name, old.document_kind, old.document_no, old.alipay_account, old.bank_name, old.bank_card) then
    new.state := 0;
    new.reviewer_name := null;
    new.review_time := null;
    new.reason := null;
  end if;
  return new;
end $$;

create trigger reopen_payee before update on payee for each row execute function reopen_payee();

create function add_payees() returns trigger language plpgsql as $$
begin
  insert into payee (tenant_id, user_id, nick_name) select tenant_id, user_id, min(nick_name) from added group by tenant_id, user_id order by tenant_id, user_id
  on conflict (tenant_id, user_id) do nothing;
  return null;
end $$;

create trigger add_payees after insert on payout referencing new table as added for each statement execute function add_payees();

insert into payee (tenant_id, user_id, nick_name) select tenant_id, user_id, max(nick_name) from payout group by tenant_id, user_id;
create index payout_of_user on payout (tenant_id, user_id, state, paid_time);

-- What each payee was paid in each month, quarter and year: kept with every change of a payout, so that a list or a rule reads one row.
create table payee_income (
  like base_row including all,
  user_id bigint not null,
  kind integer not null check (kind between 1 and 3),
  period varchar(7) not null,
  payouts integer not null,
  gross bigint not null,
  withheld bigint not null,
  net bigint not null generated always as (gross - withheld) stored
);

call own_by_tenant('payee_income');
create unique index payee_income_once on payee_income (tenant_id, user_id, kind, period);
create index payee_income_of_period on payee_income (tenant_id, kind, period, create_time, id) where is_deleted = 0;

create function add_up_payee_income(moved text) returns text language sql immutable as $$
  select format('
    insert into payee_income as kept (tenant_id, user_id, kind, period, payouts, gross, withheld)
    select tenant_id, user_id, p.kind, p.period, sum(sign), sum(sign * amount), sum(sign * withheld) from (%s) moved
    cross join lateral (values (1, to_char(paid_time, ''YYYY-MM'')), (2, to_char(paid_time, ''YYYY-"Q"Q'')), (3, to_char(paid_time, ''YYYY''))) p (kind, period)
    where state = 2 and paid_time is not null and is_deleted = 0
    group by tenant_id, user_id, p.kind, p.period having sum(sign) <> 0 or sum(sign * amount) <> 0 or sum(sign * withheld) <> 0
    order by tenant_id, user_id, p.kind, p.period
    on conflict (tenant_id, user_id, kind, period) do update set payouts = kept.payouts + excluded.payouts, gross = kept.gross + excluded.gross,
      withheld = kept.withheld + excluded.withheld', moved)
$$;

create function keep_payee_income() returns trigger language plpgsql as $$
begin
  execute add_up_payee_income(case tg_op
    when 'INSERT' then 'select 1 as sign, * from changed'
    when 'DELETE' then 'select -1 as sign, * from was'
    else 'select 1 as sign, * from changed union all select -1, * from was'
  end);
  return null;
end $$;

create trigger payee_income_inserted after insert on payout referencing new table as changed for each statement execute function keep_payee_income();
create trigger payee_income_updated after update on payout referencing old table as was new table as changed for each statement execute function keep_payee_income();
create trigger payee_income_deleted after delete on payout referencing old table as was for each statement execute function keep_payee_income();

do $$
begin
  execute add_up_payee_income('select 1 as sign, * from payout');
end $$;
