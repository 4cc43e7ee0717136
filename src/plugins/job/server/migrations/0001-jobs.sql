create table job_server (
  like base_row including all,
  job_server_name varchar(64) not null,
  job_app_name varchar(64) not null,
  job_remark text
);
call own_by_tenant('job_server');
create unique index job_server_once on job_server (tenant_id, job_app_name) where is_deleted = 0;

create sequence job_number;
grant usage on sequence job_number to marquee_tenant;

create table job_info (
  like base_row including all,
  job_server_id bigint not null,
  job_id bigint default nextval('job_number'),
  job_name varchar(128) not null,
  job_description varchar(255),
  enable integer not null,
  time_expression_type integer not null,
  time_expression varchar(128),
  lifecycle varchar(39),
  misfire integer not null,
  execute_type integer not null,
  dispatch_strategy integer not null,
  processor_type integer not null,
  processor_info varchar(255) not null,
  job_params text,
  max_instance_num integer not null,
  concurrency integer not null,
  instance_time_limit integer not null,
  instance_retry_num integer not null,
  task_retry_num integer not null,
  min_cpu_cores double precision not null,
  min_memory_space double precision not null,
  min_disk_space double precision not null,
  designated_workers varchar(1000),
  max_worker_count integer not null,
  notify_user_ids jsonb,
  alert_threshold integer not null,
  statistic_window_len integer not null,
  silence_window_len integer not null,
  log_type integer not null,
  log_level integer not null,
  extra text
);
call own_by_tenant('job_info');
create index job_info_of_server on job_info (tenant_id, job_server_id) where is_deleted = 0;

-- When each job that runs by itself is due next, by the database's clock. A fire moves the row on and makes its run in one transaction.
create table job_schedule (
  job_info_id bigint primary key,
  tenant_id varchar(12) not null,
  next_fire timestamptz(3) not null
);
call own_by_tenant('job_schedule');
create index job_schedule_due on job_schedule (next_fire);

create table job_instance (
  like base_row including all,
  job_info_id bigint not null,
  state integer not null,
  trigger integer not null,
  expected_time timestamptz(0) not null,
  -- The moment of the schedule this run stands for: none is run twice, whatever happens.
  fire_time timestamptz(3),
  start_time timestamptz(0),
  end_time timestamptz(0),
  began_at timestamptz(3),
  duration integer,
  running_times integer not null default 1,
  worker varchar(255),
  result varchar(2000),
  job_params text,
  instance_params text
);
call own_by_tenant('job_instance');
call sort_by('job_instance', 'expected_time');
create unique index job_instance_once on job_instance (job_info_id, fire_time) where fire_time is not null;
create index job_instance_open on job_instance (job_info_id) where state in (1, 3);
create index job_instance_of_job on job_instance (tenant_id, job_info_id, id);
create index job_instance_ended on job_instance (end_time) where state in (4, 5, 10);

-- What workers take up: a run as a whole, one worker's share of a broadcast, a part of a run that was cut up, or the making of one outcome.
-- Whoever takes one holds its fence; a result that bears another is refused.
create sequence job_fence;
create table job_task (
  id bigint primary key default next_id(),
  tenant_id varchar(12) not null,
  instance_id bigint not null references job_instance on delete cascade,
  job_info_id bigint not null,
  kind varchar(8) not null,
  name varchar(255) not null,
  payload jsonb,
  state integer not null default 1,
  ready_time timestamptz(3) not null default clock_timestamp(),
  -- Until then it waits for the worker it was meant for; for ever where it is that worker's share.
  meant_for varchar(64),
  meant_until timestamptz(3),
  worker varchar(64),
  fence bigint,
  lease_until timestamptz(3),
  failures integer not null default 0,
  losses integer not null default 0,
  result varchar(2000)
);
call own_by_tenant('job_task');
create index job_task_ready on job_task (ready_time) where state = 1;
create index job_task_held on job_task (worker) where state = 3;
create index job_task_of_instance on job_task (instance_id);

create table job_log (
  id bigint primary key default next_id(),
  tenant_id varchar(12) not null,
  instance_id bigint not null references job_instance on delete cascade,
  time timestamptz(3) not null,
  level varchar(8) not null,
  text varchar(4000) not null
);
call own_by_tenant('job_log');
create index job_log_of_instance on job_log (instance_id, id);

-- Replicas that run jobs, as they have told of themselves last. They belong to no tenant.
create table job_worker (
  id varchar(64) primary key,
  name varchar(128) not null,
  cpus double precision not null,
  memory double precision not null,
  disk double precision not null,
  load integer not null default 0,
  seen_at timestamptz(3) not null default clock_timestamp()
);
call secure_rows('job_worker');

-- Since when nobody is told again of a job that fails.
create table job_alert (
  job_info_id bigint primary key,
  tenant_id varchar(12) not null,
  told_at timestamptz(3) not null
);
call own_by_tenant('job_alert');
