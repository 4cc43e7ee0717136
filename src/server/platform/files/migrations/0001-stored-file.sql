-- What is known of each file; its content is in the store named, under the key.

create table stored_file (
  id bigint primary key default next_id(),
  key varchar(64) not null unique,
  store varchar(32) not null,
  -- What the user called it.
  name varchar(255) not null,
  -- By content.
  type varchar(127) not null,
  size bigint not null,
  purpose varchar(32) not null,
  owner_id bigint not null,
  is_public boolean not null default false,
  create_time timestamptz(0) not null default now(),
  -- Null: kept until somebody deletes it.
  expires_at timestamptz(0)
);

call own_by_tenant('stored_file');

create index stored_file_by_end on stored_file (expires_at) where expires_at is not null;
