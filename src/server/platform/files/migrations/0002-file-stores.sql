-- Files that arrive in parts or by a signed address, what a tenant's files take up, and small pictures of large ones.

alter table stored_file
  add column owner_dept bigint,
  -- kept; writing; parts: arriving one by one; awaited: sent to a signed address; removed: its content is yet to go.
  add column stage varchar(8) not null default 'kept' check (stage in ('kept', 'writing', 'parts', 'awaited', 'removed')),
  -- What the store calls an upload in parts.
  add column upload varchar(1024),
  -- When the user's copy was last changed, in milliseconds: by this a broken upload is found again.
  add column modified bigint,
  -- The key of a small picture of it.
  add column thumbnail varchar(64);

update stored_file set stage = 'writing' where size = 0 and expires_at is not null;

create index stored_file_by_owner on stored_file (tenant_id, create_time, id) where stage = 'kept' and purpose = 'upload';
create index stored_file_by_size on stored_file (tenant_id, size, id) where stage = 'kept' and purpose = 'upload';
create index stored_file_by_name on stored_file (tenant_id, name, id) where stage = 'kept' and purpose = 'upload';
create index stored_file_in_parts on stored_file (owner_id, name) where stage = 'parts';
create index stored_file_by_store on stored_file (store) where store <> 'disk';

create table stored_part (
  file_id bigint not null references stored_file on delete cascade,
  number integer not null,
  size integer not null,
  tag varchar(255) not null,
  primary key (file_id, number)
);

call own_by_tenant('stored_part');

-- Bytes of each tenant, those included that are promised to uploads under way. Whoever adds to them holds the row until the end of the transaction.
create table file_usage (
  tenant_id varchar(12) primary key,
  bytes bigint not null
);

call own_by_tenant('file_usage');

create function note_file_usage() returns trigger language plpgsql security definer set search_path from current as $$
declare
  whose text := case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end;
  more bigint := case when tg_op = 'INSERT' then new.size when tg_op = 'DELETE' then -old.size else new.size - old.size end;
begin
  if more <> 0 then
    insert into file_usage as used values (whose, more) on conflict (tenant_id) do update set bytes = used.bytes + excluded.bytes;
  end if;
  return null;
end $$;

create trigger file_usage after insert or delete or update of size on stored_file for each row execute function note_file_usage();

insert into file_usage select tenant_id, sum(size) from stored_file group by tenant_id;
