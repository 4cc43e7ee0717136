create unique index concurrently if not exists task_step_by_id on task_step (id, tenant_id);
