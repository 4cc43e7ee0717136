-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists task_by_id on task (id, tenant_id);
create unique index concurrently if not exists task_submission_by_id on task_submission (id, tenant_id);
create unique index concurrently if not exists task_submission_bill_of_tenant on task_submission (pay_no, tenant_id) where pay_no is not null;
create unique index concurrently if not exists task_audit_lease_of_tenant on task_audit_lease (tenant_id, submission_id);
