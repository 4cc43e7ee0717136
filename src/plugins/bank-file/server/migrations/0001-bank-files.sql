create table bank_account (
  like base_row including all,
  name varchar(64) not null,
  bank varchar(64) not null,
  account varchar(34) not null,
  min_amount bigint,
  max_amount bigint,
  fee_rate integer,
  fee_fixed bigint,
  priority integer,
  remark varchar(255)
);

call own_by_tenant('bank_account');
create unique index bank_account_enabled_once on bank_account (tenant_id) where is_deleted = 0 and status = 2;
call provides_payment('bank_account');

create table bank_file (
  like base_row including all,
  file_no varchar(32) not null default 'F' || next_id(),
  run_no varchar(32) not null,
  bank_account_id bigint not null references bank_account (id),
  lines integer not null default 0,
  amount bigint not null default 0,
  paid integer not null default 0,
  failed integer not null default 0,
  downloads integer not null default 0,
  downloaded_time timestamptz(0),
  digest varchar(64),
  state integer not null generated always as (case when downloaded_time is null then 0 when paid + failed < lines then 1 else 2 end) stored
);

call own_by_tenant('bank_file');
create unique index bank_file_no on bank_file (tenant_id, file_no);
-- A run has one file that still collects payouts.
create unique index bank_file_collecting on bank_file (tenant_id, bank_account_id, run_no) where downloaded_time is null;

create table bank_file_line (
  like base_row including all,
  file_id bigint not null references bank_file (id),
  pay_no varchar(32) not null,
  name varchar(64) not null,
  account varchar(128) not null default '',
  account_mask varchar(64) generated always as (
    case when length(account) > 7 then left(account, 3) || '****' || right(account, 4) else left(account, 1) || '****' end) stored not null,
  bank varchar(64),
  amount bigint not null check (amount > 0),
  note_to_payee varchar(128) not null default '',
  outcome integer not null default 0 check (outcome between 0 and 2),
  serial_no varchar(64),
  reason varchar(200),
  settled_time timestamptz(0)
);

call own_by_tenant('bank_file_line');
create unique index bank_file_line_once on bank_file_line (tenant_id, pay_no);
create index bank_file_line_of_file on bank_file_line (file_id);
create index bank_file_line_of_day on bank_file_line (tenant_id, settled_time) where outcome = 1;

-- A line stays as it is but for its result, which is recorded once; the file counts its lines.
create function keep_bank_file_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.file_id, new.pay_no, new.name, new.account, new.bank, new.amount, new.note_to_payee) is distinct from
        (old.file_id, old.pay_no, old.name, old.account, old.bank, old.amount, old.note_to_payee) or old.outcome <> 0 and new.outcome <> old.outcome then
      raise exception 'line % is not changed', old.pay_no;
    end if;
    update bank_file set paid = paid + (new.outcome = 1)::integer - (old.outcome = 1)::integer, failed = failed + (new.outcome = 2)::integer - (old.outcome = 2)::integer
    where id = new.file_id and new.outcome <> old.outcome;
  else
    update bank_file set lines = lines + 1, amount = bank_file.amount + new.amount where id = new.file_id;
  end if;
  return new;
end $$;

create trigger keep_bank_file_line after insert or update on bank_file_line for each row execute function keep_bank_file_line();
