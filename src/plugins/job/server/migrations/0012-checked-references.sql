alter table job_task validate constraint job_task_instance;
alter table job_log validate constraint job_log_instance;
alter table job_alert_delivery validate constraint job_alert_delivery_instance;
