-- Changes of records, field by field. Partitioned by month, so that old months are dropped as tables.

create table record_change (
  id bigint not null default next_id(),
  create_time timestamptz(3) not null default now(),
  tenant_id varchar(12) not null,
  entity varchar(63) not null,
  record_id bigint not null,
  action varchar(16) not null,
  -- Null for the server's own work.
  user_id bigint,
  method varchar(8),
  path varchar(255),
  request_id varchar(64),
  -- Values before and after by field: {"name": ["from", "to"]}.
  fields jsonb not null,
  primary key (create_time, id)
) partition by range (create_time);

call own_by_tenant('record_change');

-- Ids of records are unique across tables, so that entity and tenant only filter the few rows of one id.
drop index record_change_tenant_id_idx;
create index record_change_by_record on record_change (record_id, id);

create table record_change_rest partition of record_change default;
