-- Account of the user who stopped a run.
alter table job_instance add column stopped_by varchar(64);
