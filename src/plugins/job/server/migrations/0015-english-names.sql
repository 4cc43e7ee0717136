-- English names of jobs; those that plugins declare get theirs at the next start.
alter table job_info add column job_name_en varchar(128);
