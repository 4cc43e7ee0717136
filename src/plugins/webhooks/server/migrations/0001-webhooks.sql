-- Secrets are encrypted. For a day after a new one is made, requests are also signed with the former one. failing_since is the time of the first failure after the last success.
create table webhook_endpoint (
  like tenant_row including all,
  name varchar(64) not null,
  url varchar(1000) not null,
  events jsonb not null,
  is_enabled boolean not null,
  disabled_reason text,
  remark varchar(255),
  secret text,
  former_secret text,
  former_secret_until timestamptz(0),
  failing_since timestamptz(0)
);

call own_by_tenant('webhook_endpoint');

-- The queue, and the log once an event has arrived or was given up. While an event is being sent, due_at is the end of the lease.
create table webhook_delivery (
  like tenant_row including all,
  endpoint_id bigint not null,
  event varchar(64) not null,
  message_id varchar(40) not null,
  body text not null,
  state integer not null default 0,
  failure text,
  response_status integer,
  response text,
  attempts integer not null default 0,
  attempted_at timestamptz(0),
  duration_ms integer,
  due_at timestamptz(0),
  foreign key (endpoint_id, tenant_id) references webhook_endpoint (id, tenant_id) on delete cascade
);

call own_by_tenant('webhook_delivery');
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at) where state in (0, 1);
create index webhook_delivery_failed on webhook_delivery (endpoint_id) where state = 3;
create index webhook_delivery_of_endpoint on webhook_delivery (endpoint_id, create_time, id);
create index webhook_delivery_by_age on webhook_delivery (create_time);
