-- Views of lists that the people of a tenant give each other; forgotten with whoever shares them.

create table shared_view (
  id bigint primary key default next_id(),
  tenant_id varchar(12) not null,
  list varchar(160) not null,
  name varchar(40) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  view jsonb not null,
  update_time timestamptz(0) not null default now(),
  unique (tenant_id, list, name, user_id)
);

call own_by_tenant('shared_view');
