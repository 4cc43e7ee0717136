-- What went wrong, on the server and in browsers. Spread by month, so that old months go by dropping a table.

create table error_log (
  id bigint not null default next_id(),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz(0) not null default date_trunc('second', now()),
  update_user bigint,
  update_time timestamptz(0),
  status integer not null default 1,
  is_deleted smallint not null default 0,
  tenant_id varchar(12) not null,
  exception_name varchar(255),
  request_uri varchar(512) not null,
  method varchar(8) not null,
  create_by varchar(64),
  remote_ip varchar(64) not null,
  service_id varchar(64) not null,
  server_host varchar(255) not null,
  server_ip varchar(64) not null,
  env varchar(32) not null,
  user_agent varchar(512),
  method_class varchar(128) not null,
  method_name varchar(255),
  file_name varchar(255),
  line_number integer,
  time varchar(16),
  params text,
  message text,
  stack_trace text,
  primary key (create_time, id)
) partition by range (create_time);

call own_by_tenant('error_log');

-- Takes what no month was prepared for, so that reporting an error never is one.
create table error_log_rest partition of error_log default;

create function prepare_error_log(months integer) returns void language plpgsql as $$
declare
  month date;
begin
  perform pg_advisory_xact_lock(20240103);
  for step in 0..months loop
    month := (date_trunc('month', now()) + make_interval(months => step))::date;
    if to_regclass(format('error_log_%s', to_char(month, 'YYYYMM'))) is null then
      execute format('create table error_log_%s partition of error_log for values from (%L) to (%L)', to_char(month, 'YYYYMM'), month, month + interval '1 month');
    end if;
  end loop;
end $$;
