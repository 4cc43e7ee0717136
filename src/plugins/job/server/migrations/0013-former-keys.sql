drop index concurrently if exists job_instance_once;
drop index concurrently if exists job_instance_of_node;
drop index concurrently if exists job_instance_of_workflow;
