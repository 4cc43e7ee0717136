-- Exports and imports. Whoever runs one holds it by a lease that is renewed; a lease that ran out is taken over.

create table transfer (
  id bigint primary key default next_id(),
  kind varchar(8) not null,
  -- The address of the call that asked for it, which says what is transferred.
  target varchar(255) not null,
  title_zh varchar(128) not null,
  title_en varchar(128) not null,
  owner_id bigint not null,
  owner_dept bigint,
  language varchar(2) not null,
  request jsonb not null,
  state varchar(16) not null default 'queued',
  progress bigint not null default 0,
  total bigint,
  good bigint not null default 0,
  bad bigint not null default 0,
  result_id bigint,
  problems_id bigint,
  message_zh text,
  message_en text,
  attempts integer not null default 0,
  cancelled boolean not null default false,
  runner varchar(64),
  lease_until timestamptz,
  create_time timestamptz(0) not null default now(),
  end_time timestamptz(0),
  expires_at timestamptz(0)
);

call own_by_tenant('transfer');

create index transfer_by_owner on transfer (tenant_id, owner_id, id);
create index transfer_to_run on transfer (id) where state in ('queued', 'running');
create index transfer_by_end on transfer (expires_at) where expires_at is not null;

-- Rows of a sheet that were refused while others were written.
create table transfer_problem (
  transfer_id bigint not null references transfer (id) on delete cascade,
  row_number integer not null,
  field varchar(64) not null,
  message_zh text not null,
  message_en text not null,
  primary key (transfer_id, row_number, field)
);

call own_by_tenant('transfer_problem');
