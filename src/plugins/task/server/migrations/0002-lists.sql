-- What is paid or not, and what one auditor has decided, the latest first.
create index task_submission_paid on task_submission (tenant_id, pay_status, audit_time, id) where is_deleted = 0;
create index task_submission_of_auditor on task_submission (tenant_id, audit_user, audit_time, id) where is_deleted = 0 and audit_user is not null;
