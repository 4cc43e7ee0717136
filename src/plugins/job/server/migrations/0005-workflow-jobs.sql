-- A job may be the start of a workflow; then it has no processor, and each of its runs has one of the workflow.
alter table job_info add column workflow_id bigint;
alter table job_info alter column processor_info drop not null;
create index job_info_of_workflow on job_info (workflow_id) where workflow_id is not null;

alter table job_instance add column own_workflow_run_id bigint;
create unique index job_instance_of_workflow on job_instance (own_workflow_run_id) where own_workflow_run_id is not null;

-- Nodes of it were tried again, and the run of the job that started it has not been told.
alter table job_workflow_run add column reopened boolean not null default false;
create index job_workflow_run_reopened on job_workflow_run (id) where reopened;
