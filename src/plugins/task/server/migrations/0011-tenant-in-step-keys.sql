alter table task_step drop constraint task_step_pkey, add constraint task_step_pkey primary key using index task_step_by_id;
