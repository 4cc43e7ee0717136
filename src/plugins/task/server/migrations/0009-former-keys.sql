drop index concurrently if exists task_submission_bill;
