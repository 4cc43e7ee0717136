-- Applications whose jobs a PowerJob server runs.
alter table job_server add column engine integer not null default 1;
alter table job_server add column job_server_url varchar(1000);
alter table job_server add column job_app_password text;
alter table job_server add column sign_in integer not null default 1;
-- When its runs were last asked for.
alter table job_server add column mirrored_at timestamptz(3);

-- The id of a run on the PowerJob server; such runs are shown here and not worked on.
alter table job_instance add column engine_instance_id varchar(32);
create unique index job_instance_elsewhere on job_instance (job_info_id, engine_instance_id) where engine_instance_id is not null;
