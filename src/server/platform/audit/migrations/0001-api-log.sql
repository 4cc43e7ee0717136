-- Who asked for what, and what it changed. Spread by month, so that old months go by dropping a table.

create table api_log (
  id bigint not null default next_id(),
  tenant_id varchar(12) not null,
  type varchar(8) not null default '1',
  title varchar(128) not null,
  service_id varchar(64) not null,
  server_host varchar(255) not null,
  server_ip varchar(64) not null,
  env varchar(32) not null,
  method varchar(8) not null,
  request_uri varchar(255) not null,
  user_agent varchar(512) not null,
  remote_ip varchar(64) not null,
  method_class varchar(128) not null,
  method_name varchar(128) not null,
  params text not null,
  time varchar(16) not null,
  create_by varchar(64) not null,
  user_id bigint,
  status integer not null,
  request_id varchar(64) not null,
  -- Before and after of every row a write touched.
  changes jsonb,
  create_time timestamptz not null default now(),
  primary key (create_time, id)
) partition by range (create_time);

call own_by_tenant('api_log');

create index api_log_by_time on api_log (tenant_id, create_time, id);
create index api_log_by_user on api_log (tenant_id, user_id, create_time);

-- Takes what no month was prepared for, so that a log entry never stops the work it reports.
create table api_log_rest partition of api_log default;

create function prepare_api_log(months integer) returns void language plpgsql as $$
declare
  month date;
begin
  perform pg_advisory_xact_lock(20240102);
  for step in 0..months loop
    month := (date_trunc('month', now()) + make_interval(months => step))::date;
    if to_regclass(format('api_log_%s', to_char(month, 'YYYYMM'))) is null then
      execute format('create table api_log_%s partition of api_log for values from (%L) to (%L)', to_char(month, 'YYYYMM'), month, month + interval '1 month');
    end if;
  end loop;
end $$;
