alter table task_submission drop constraint task_submission_task_id_fkey;
alter table task drop constraint task_pkey, add constraint task_pkey primary key using index task_by_id;
alter table task_submission add constraint task_submission_task foreign key (task_id, tenant_id) references task (id, tenant_id) not valid;

alter table task_audit_lease drop constraint task_audit_lease_submission_id_fkey;
alter table task_proof_mark drop constraint task_proof_mark_submission_id_fkey;
-- The reference of payouts goes with the key; their plugin adds it again with the tenant.
alter table task_submission drop constraint task_submission_pkey cascade, add constraint task_submission_pkey primary key using index task_submission_by_id;
alter table task_audit_lease add constraint task_audit_lease_submission
  foreign key (submission_id, tenant_id) references task_submission (id, tenant_id) on delete cascade not valid;
alter table task_proof_mark add constraint task_proof_mark_submission
  foreign key (submission_id, tenant_id) references task_submission (id, tenant_id) on delete cascade not valid;
