create table platform_report (
  like base_row including all,
  quarter varchar(7) not null,
  version_no integer not null,
  state integer not null default 0 check (state between 0 and 1),
  payees integer not null default 0,
  exceptions integer not null default 0,
  changes integer not null default 0,
  payouts integer not null default 0,
  gross bigint not null default 0,
  withheld bigint not null default 0,
  ledger_gross bigint not null default 0,
  difference bigint not null generated always as (gross - ledger_gross) stored,
  checksum varchar(64) not null default '',
  columns varchar(4000) not null default '',
  submitter_name varchar(64),
  submitted_time timestamptz(0),
  receipt_no varchar(64),
  downloads integer not null default 0
);

call own_by_tenant('platform_report');
call sort_by('platform_report', 'quarter');
create unique index platform_report_version on platform_report (tenant_id, quarter, version_no);

create table platform_report_row (
  like base_row including all,
  report_id bigint not null references platform_report (id),
  user_id bigint not null,
  name varchar(64),
  problem integer not null,
  document_kind integer,
  document_no text,
  document_mask varchar(64),
  payouts integer not null,
  gross bigint not null,
  withheld bigint not null,
  change integer not null,
  gross_before bigint,
  withheld_before bigint
);

call own_by_tenant('platform_report_row');
create unique index platform_report_row_of_payee on platform_report_row (report_id, user_id);
create index platform_report_row_problem on platform_report_row (tenant_id, report_id, problem, create_time, id) where problem <> 0;
create index platform_report_row_of_user on platform_report_row (tenant_id, user_id);

-- A submitted version stays as it is; only its downloads are counted.
create function keep_platform_report() returns trigger language plpgsql as $$
begin
  if old.state = 1 and (tg_op = 'DELETE' or (new.quarter, new.version_no, new.state, new.payees, new.exceptions, new.changes, new.payouts, new.gross, new.withheld,
      new.ledger_gross, new.checksum, new.columns, new.submitter_name, new.submitted_time, new.receipt_no, new.is_deleted)
    is distinct from (old.quarter, old.version_no, old.state, old.payees, old.exceptions, old.changes, old.payouts, old.gross, old.withheld,
      old.ledger_gross, old.checksum, old.columns, old.submitter_name, old.submitted_time, old.receipt_no, old.is_deleted)) then
    raise exception 'report % is not changed', old.id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create trigger keep_platform_report before update or delete on platform_report for each row execute function keep_platform_report();

create function keep_platform_report_rows() returns trigger language plpgsql as $$
begin
  if exists (select from touched t join platform_report r on r.id = t.report_id where r.state = 1) then
    raise exception 'the rows of a submitted report are not changed';
  end if;
  return null;
end $$;

create trigger keep_inserted_report_rows after insert on platform_report_row referencing new table as touched for each statement execute function keep_platform_report_rows();
create trigger keep_updated_report_rows after update on platform_report_row referencing old table as touched for each statement execute function keep_platform_report_rows();
create trigger keep_deleted_report_rows after delete on platform_report_row referencing old table as touched for each statement execute function keep_platform_report_rows();

create table report_format (
  like base_row including all,
  name varchar(64) not null,
  valid_from date not null,
  columns varchar(4000) not null,
  source varchar(500) not null
);

call own_by_tenant('report_format');
call sort_by('report_format', 'valid_from');
create unique index report_format_day on report_format (tenant_id, valid_from) where is_deleted = 0;
