-- Success rates of a period are counted from this index alone.
create index concurrently if not exists job_instance_results on job_instance (tenant_id, end_time, state) where state in (4, 5);
create index concurrently if not exists job_instance_running on job_instance (tenant_id, id) where state in (1, 2, 3);
create index concurrently if not exists job_schedule_of_tenant on job_schedule (tenant_id, next_fire);
