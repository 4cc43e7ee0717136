-- What was told to one user: by jobs, by other people, by the product itself.

create table inbox_message (
  id bigint primary key default next_id(),
  user_id bigint not null references user_account (id) on delete cascade,
  kind varchar(8) not null check (kind in ('mail', 'message', 'notice')),
  -- In both languages, Chinese first.
  title jsonb not null,
  body jsonb not null,
  status smallint check (status in (0, 1, 3, 4)),
  link varchar(512),
  read_at timestamptz,
  create_time timestamptz not null default now()
);

call own_by_tenant('inbox_message');

create index inbox_message_by_user on inbox_message (tenant_id, user_id, kind, id desc);
create index inbox_message_unread on inbox_message (tenant_id, user_id, kind) where read_at is null;
create index inbox_message_by_time on inbox_message (create_time);
