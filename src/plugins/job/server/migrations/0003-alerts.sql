-- How people are told of failures beside the inbox.
alter table job_info add column alert_sms varchar(64);
alter table job_info add column alert_url varchar(1000);
alter table job_info add column alert_secret text;
alter table job_info add column alert_quiet varchar(11);

-- What is still to be said to phones and addresses; a row goes once it has been said, or was tried often enough.
create table job_alert_delivery (
  id bigint primary key default next_id(),
  tenant_id varchar(12) not null,
  job_info_id bigint not null,
  instance_id bigint not null references job_instance on delete cascade,
  channel varchar(8) not null,
  message jsonb not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null
);
call own_by_tenant('job_alert_delivery');
create index job_alert_delivery_due on job_alert_delivery (due_at);
