-- How each user likes the console; forgotten with the user.

create table user_preference (
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  key varchar(160) not null,
  version integer not null,
  value jsonb not null,
  update_time timestamptz(0) not null default now(),
  primary key (tenant_id, user_id, key)
);

call own_by_tenant('user_preference');
