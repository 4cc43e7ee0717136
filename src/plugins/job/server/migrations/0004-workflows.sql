-- Jobs that wait for each other. The graph is nodes with a job each, and edges from what is done first to what waits for it.
create table job_workflow (
  like base_row including all,
  job_server_id bigint not null,
  workflow_name varchar(128) not null,
  workflow_description varchar(255),
  enable integer not null,
  failure_policy integer not null,
  time_expression_type integer not null,
  time_expression varchar(128),
  dag jsonb not null default '{"nodes": [], "edges": []}',
  next_fire timestamptz(3)
);
call own_by_tenant('job_workflow');
create unique index job_workflow_once on job_workflow (tenant_id, job_server_id, workflow_name) where is_deleted = 0;
create index job_workflow_due on job_workflow (next_fire) where next_fire is not null;

-- A run keeps the graph it began with.
create table job_workflow_run (
  id bigint primary key default next_id(),
  tenant_id varchar(12) not null,
  workflow_id bigint not null,
  state integer not null,
  failure_policy integer not null,
  dag jsonb not null,
  start_time timestamptz(0) not null default clock_timestamp(),
  end_time timestamptz(0)
);
call own_by_tenant('job_workflow_run');
create index job_workflow_run_of on job_workflow_run (workflow_id, id);

-- The run of a workflow that a run of a job is part of, and as which of its nodes.
alter table job_instance add column workflow_run_id bigint;
alter table job_instance add column node_id varchar(32);
create unique index job_instance_of_node on job_instance (workflow_run_id, node_id) where workflow_run_id is not null;
