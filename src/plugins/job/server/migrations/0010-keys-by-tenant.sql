-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists job_server_by_id on job_server (id, tenant_id);
create unique index concurrently if not exists job_info_by_id on job_info (id, tenant_id);
create unique index concurrently if not exists job_instance_by_id on job_instance (id, tenant_id);
create unique index concurrently if not exists job_task_by_id on job_task (id, tenant_id);
create unique index concurrently if not exists job_log_by_id on job_log (id, tenant_id);
create unique index concurrently if not exists job_alert_delivery_by_id on job_alert_delivery (id, tenant_id);
create unique index concurrently if not exists job_workflow_by_id on job_workflow (id, tenant_id);
create unique index concurrently if not exists job_workflow_run_by_id on job_workflow_run (id, tenant_id);
create unique index concurrently if not exists job_schedule_by_job on job_schedule (job_info_id, tenant_id);
create unique index concurrently if not exists job_alert_by_job on job_alert (job_info_id, tenant_id);
create unique index concurrently if not exists job_instance_once_of_tenant on job_instance (job_info_id, fire_time, tenant_id) where fire_time is not null;
create unique index concurrently if not exists job_instance_elsewhere_of_tenant on job_instance (job_info_id, engine_instance_id, tenant_id) where engine_instance_id is not null;
create unique index concurrently if not exists job_instance_of_node_of_tenant on job_instance (workflow_run_id, node_id, tenant_id) where workflow_run_id is not null;
create unique index concurrently if not exists job_instance_of_workflow_of_tenant on job_instance (own_workflow_run_id, tenant_id) where own_workflow_run_id is not null;
