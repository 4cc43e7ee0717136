-- Ids: milliseconds since 2024-01-01 in the upper bits, a running number in the lower 22, so they sort by time of birth.
create sequence id_sequence as bigint cycle;

create function next_id() returns bigint language sql volatile as $$
  select (((extract(epoch from clock_timestamp()) * 1000)::bigint - 1704067200000) << 22) | (nextval('id_sequence') & 4194303)
$$;

grant usage on schema public to marquee_tenant;
grant usage on sequence id_sequence to marquee_tenant;

-- What every entity's table begins with: create table thing (like base_row including all, …).
-- Times are whole seconds, as the wire carries them: what a client reads is what it can filter by.
create table base_row (
  id bigint primary key default next_id(),
  create_user bigint,
  create_dept bigint,
  create_time timestamptz(0) not null default date_trunc('second', now()),
  update_user bigint,
  update_time timestamptz(0),
  status integer not null default 1,
  is_deleted smallint not null default 0
);

-- How many undeleted rows each tenant has in each table ('' for the platform's tables), and how often anything in it has changed.
-- Writers only append deltas; one in fifty folds them, and none waits for another.
create table row_count (
  tenant_id varchar(12) not null,
  table_name varchar(63) not null,
  rows bigint not null,
  changes bigint not null,
  primary key (table_name, tenant_id)
);

create table row_count_delta (
  tenant_id varchar(12) not null,
  table_name varchar(63) not null,
  delta bigint not null
);
create index on row_count_delta (table_name, tenant_id);

create function fold_row_count(of_tenant text, of_table text) returns void language plpgsql security definer set search_path from current as $$
declare
  folded record;
begin
  if not pg_try_advisory_xact_lock(20240101, hashtext(of_table || ' ' || of_tenant)) then
    return;
  end if;
  with chosen as (
    select ctid from row_count_delta where table_name = of_table and tenant_id = of_tenant limit 1000 for update skip locked
  ), gone as (
    delete from row_count_delta using chosen where row_count_delta.ctid = chosen.ctid returning delta
  )
  select coalesce(sum(delta), 0) as rows, count(*) as changes into folded from gone;
  if folded.changes > 0 then
    insert into row_count as counted values (of_tenant, of_table, folded.rows, folded.changes)
    on conflict (table_name, tenant_id) do update set rows = counted.rows + excluded.rows, changes = counted.changes + excluded.changes;
  end if;
end $$;

create function note_row_count(of_tenant text, of_table text, delta bigint) returns void language plpgsql security definer set search_path from current as $$
begin
  insert into row_count_delta values (of_tenant, of_table, delta);
  if random() < 0.02 then
    perform fold_row_count(of_tenant, of_table);
  end if;
end $$;

-- Rows inserted are in `changed`, rows deleted in `was`, rows updated in both.
create function count_changed_rows() returns trigger language plpgsql security definer set search_path from current as $$
declare
  part record;
  by_tenant boolean := tg_argv[0] = 'tenant';
begin
  if by_tenant and tg_op = 'INSERT' then
    for part in select tenant_id, sum((is_deleted = 0)::integer) as delta from changed group by tenant_id loop
      perform note_row_count(part.tenant_id, tg_table_name, part.delta);
    end loop;
  elsif by_tenant and tg_op = 'UPDATE' then
    for part in
      select tenant_id, sum(here) as delta
      from (select tenant_id, (is_deleted = 0)::integer as here from changed union all select tenant_id, -(is_deleted = 0)::integer from was) moved
      group by tenant_id
    loop
      perform note_row_count(part.tenant_id, tg_table_name, part.delta);
    end loop;
  elsif by_tenant then
    for part in select tenant_id, -sum((is_deleted = 0)::integer) as delta from was group by tenant_id loop
      perform note_row_count(part.tenant_id, tg_table_name, part.delta);
    end loop;
  elsif tg_op = 'INSERT' then
    perform note_row_count('', tg_table_name, sum((is_deleted = 0)::integer)) from changed having count(*) > 0;
  elsif tg_op = 'UPDATE' then
    perform note_row_count('', tg_table_name, (select sum((is_deleted = 0)::integer) from changed) - sum((is_deleted = 0)::integer)) from was having count(*) > 0;
  else
    perform note_row_count('', tg_table_name, -sum((is_deleted = 0)::integer)) from was having count(*) > 0;
  end if;
  return null;
end $$;

-- Rows and changes of a table as the current work sees it: those of its tenant, of all tenants for the platform, of all there are in a platform's table.
-- Exact in the snapshot of the statement that asks.
create function kept_count(of_table text, shared boolean) returns bigint[] language plpgsql stable security definer
set search_path from current set plan_cache_mode = force_generic_plan as $$
declare
  whose text := case when shared then '' else coalesce(current_setting('app.tenant', true), '') end;
begin
  if whose = '' and not shared then
    return (select array[coalesce(sum(rows), 0), coalesce(sum(changes), 0)] from (
      select rows, changes from row_count where table_name = of_table
      union all
      select delta, 1 from row_count_delta where table_name = of_table
    ) counted);
  end if;
  return (select array[coalesce(sum(rows), 0), coalesce(sum(changes), 0)] from (
    select rows, changes from row_count where table_name = of_table and tenant_id = whose
    union all
    select delta, 1 from row_count_delta where table_name = of_table and tenant_id = whose
  ) counted);
end $$;

create function forget_row_count() returns trigger language plpgsql security definer set search_path from current as $$
begin
  with gone as (delete from row_count_delta where table_name = tg_table_name returning 1)
  update row_count set rows = 0, changes = changes + 1 + (select count(*) from gone) where table_name = tg_table_name;
  return null;
end $$;

create function has_column(of_table regclass, name text) returns boolean language sql stable as $$
  select exists (select from pg_attribute where attrelid = of_table and attname = name and not attisdropped)
$$;

-- Row level security holds for the owner too; the owner sees all through a policy of its own, superuser or not.
create procedure secure_rows(of_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', of_table);
  execute format('alter table %s force row level security', of_table);
  execute format('create policy owner on %s to current_user using (true) with check (true)', of_table);
end $$;

create procedure count_rows(of_table regclass, owner text) language plpgsql as $$
begin
  if not has_column(of_table, 'is_deleted') then
    return;
  end if;
  execute format('create trigger count_inserted after insert on %s referencing new table as changed for each statement execute function count_changed_rows(%L)', of_table, owner);
  execute format('create trigger count_updated after update on %s referencing old table as was new table as changed for each statement execute function count_changed_rows(%L)', of_table, owner);
  execute format('create trigger count_deleted after delete on %s referencing old table as was for each statement execute function count_changed_rows(%L)', of_table, owner);
  execute format('create trigger count_truncated after truncate on %s for each statement execute function forget_row_count()', of_table);
end $$;

-- Lists may be sorted by this column: an index that serves both directions and begins with the tenant where there is one.
create procedure sort_by(of_table regclass, name text) language plpgsql as $$
declare
  by_tenant boolean := exists (select from pg_policy where polrelid = of_table and polname = 'tenant');
begin
  execute format('create index on %s (%s%I, id) where is_deleted = 0', of_table, case when by_tenant then 'tenant_id, ' end, name);
end $$;

-- Each tenant has its own rows, stamped with the tenant of the connection, and meets no others.
create procedure own_by_tenant(of_table regclass) language plpgsql as $$
begin
  execute format('alter table %s add column if not exists tenant_id varchar(12)', of_table);
  execute format('alter table %s alter tenant_id set default current_setting(''app.tenant''), alter tenant_id set not null', of_table);
  execute format('alter table %s add check (tenant_id <> '''')', of_table);
  call secure_rows(of_table);
  execute format(
    'create policy tenant on %s to marquee_tenant using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))',
    of_table
  );
  execute format('grant select, insert, update, delete on %s to marquee_tenant', of_table);
  call count_rows(of_table, 'tenant');
  if has_column(of_table, 'create_time') and has_column(of_table, 'is_deleted') then
    call sort_by(of_table, 'create_time');
  else
    execute format('create index on %s (tenant_id)', of_table);
  end if;
end $$;

-- The platform's rows: every tenant reads them, only the platform's own tenant writes them.
create procedure own_by_platform(of_table regclass) language plpgsql as $$
begin
  call secure_rows(of_table);
  execute format('create policy everyone_reads on %s for select to marquee_tenant using (true)', of_table);
  execute format(
    'create policy platform_writes on %s to marquee_tenant using (current_setting(''app.tenant'', true) = ''000000'') with check (current_setting(''app.tenant'', true) = ''000000'')',
    of_table
  );
  execute format('grant select, insert, update, delete on %s to marquee_tenant', of_table);
  call count_rows(of_table, 'platform');
  if has_column(of_table, 'create_time') and has_column(of_table, 'is_deleted') then
    call sort_by(of_table, 'create_time');
  end if;
end $$;

call secure_rows('row_count');
call secure_rows('row_count_delta');
