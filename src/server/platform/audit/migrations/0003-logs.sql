-- The api log in the shape of other tables, so that it is read as they are; what it held is kept. And a log of what the server does of its own accord.

create temporary table api_log_before on commit drop as select * from api_log;
drop table api_log;
drop function prepare_api_log(integer);
drop function prepare_error_log(integer);

create table api_log (
  id bigint not null default next_id(),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz(0) not null default date_trunc('second', now()),
  update_user bigint,
  update_time timestamptz(0),
  status integer not null default 1,
  is_deleted smallint not null default 0,
  tenant_id varchar(12) not null,
  type varchar(8) not null default '1',
  title varchar(128) not null,
  service_id varchar(64) not null,
  server_host varchar(255) not null,
  server_ip varchar(64) not null,
  env varchar(32) not null,
  method text not null,
  request_uri varchar(255) not null,
  user_agent varchar(512) not null,
  remote_ip varchar(64) not null,
  method_class varchar(128) not null,
  method_name varchar(128) not null,
  params text not null,
  time varchar(16) not null,
  create_by varchar(64) not null,
  user_id bigint,
  -- What HTTP said.
  status_code integer not null,
  request_id varchar(64) not null,
  -- Before and after of every row a write touched.
  changes jsonb,
  primary key (create_time, id)
) partition by range (create_time);

create table usual_log (
  id bigint not null default next_id(),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz(0) not null default date_trunc('second', now()),
  update_user bigint,
  update_time timestamptz(0),
  status integer not null default 1,
  is_deleted smallint not null default 0,
  tenant_id varchar(12) not null,
  log_level text not null,
  log_id varchar(64) not null,
  log_data text not null,
  service_id varchar(64) not null,
  server_host varchar(255) not null,
  server_ip varchar(64) not null,
  env varchar(32) not null,
  method_class varchar(128) not null,
  create_by varchar(64),
  primary key (create_time, id)
) partition by range (create_time);

call own_by_tenant('api_log');
call own_by_tenant('usual_log');

-- Every write would count its own entry: lists of this log count what they show instead.
drop trigger count_inserted on api_log;
drop trigger count_updated on api_log;
drop trigger count_deleted on api_log;
drop trigger count_truncated on api_log;

create index api_log_by_user on api_log (tenant_id, create_by, create_time);

-- They take what no month was prepared for, so that a log entry never stops the work it reports.
create table api_log_rest partition of api_log default;
create table usual_log_rest partition of usual_log default;

-- Makes the tables of this month and the coming ones. A month of which entries went elsewhere stays there.
create function prepare_log(of_table regclass, months integer) returns void language plpgsql as $$
declare
  month date;
  part text;
  strays boolean;
begin
  perform pg_advisory_xact_lock(20240102, hashtext(of_table::text));
  for step in 0..months loop
    month := (date_trunc('month', now()) + make_interval(months => step))::date;
    part := format('%s_%s', of_table, to_char(month, 'YYYYMM'));
    if to_regclass(part) is null then
      execute format('select exists (select from %s_rest where create_time >= %L and create_time < %L)', of_table, month, month + interval '1 month') into strays;
      if not strays then
        execute format('create table %s partition of %s for values from (%L) to (%L)', part, of_table, month, month + interval '1 month');
      end if;
    end if;
  end loop;
end $$;

-- Drops the months that ended so many days ago, and answers with their names; the kept count of rows follows.
create function drop_old_log(of_table regclass, days integer) returns setof text language plpgsql as $$
declare
  edge timestamptz := now() - make_interval(days => days);
  part text;
begin
  perform pg_advisory_xact_lock(20240102, hashtext(of_table::text));
  for part in
    select inhrelid::regclass::text from pg_inherits
    where inhparent = of_table and inhrelid::regclass::text ~ '_\d{6}$'
      and to_date(right(inhrelid::regclass::text, 6), 'YYYYMM') + interval '1 month' <= edge
  loop
    if exists (select from pg_trigger where tgrelid = of_table and tgname = 'count_inserted') then
      execute format('insert into row_count_delta select tenant_id, %L, -count(*) from %s where is_deleted = 0 group by tenant_id', of_table, part);
    end if;
    execute format('drop table %s', part);
    return next part;
  end loop;
  execute format('delete from %s where create_time < %L and tableoid = %L::regclass', of_table, edge, of_table || '_rest');
end $$;

select prepare_log('api_log', 3);

insert into api_log (id, tenant_id, type, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip, method_class,
  method_name, params, time, create_by, user_id, status_code, request_id, changes, create_time)
select id, tenant_id, type, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip, method_class,
  method_name, params, time, create_by, user_id, status, request_id, changes, date_trunc('second', create_time)
from api_log_before;
