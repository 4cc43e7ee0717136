-- Secret that the processor of a job receives, encrypted: headers of a request with its token.
alter table job_info add column job_secret text;
