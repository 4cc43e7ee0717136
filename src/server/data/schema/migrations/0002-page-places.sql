-- Where the pages of long lists begin. Each order a list may have is cut into blocks of some thousand rows, whose sizes are kept:
-- the place of any page is a sum over blocks and a short walk, however deep it lies and whatever was written a moment ago.
-- Writers only append what moved; one in two hundred folds that into the blocks and cuts those that have grown, and none waits for another.
-- A row and its moves become visible together, so in every snapshot the rows of a block are its kept ones plus the moves within it.

-- The columns lists are sorted by, with their types.
create table list_order (
  table_name varchar(63) not null,
  column_name varchar(63) not null,
  type text not null,
  primary key (table_name, column_name)
);

-- A block reaches from its own key to the next one's. A key is (number, word, id): words of numbers are empty, numbers of words are 0, null is NaN,
-- so that keys of every type stand in the order of their index.
create table list_block (
  table_name varchar(63) not null,
  tenant_id varchar(12) not null,
  column_name varchar(63) not null,
  number numeric not null,
  word text not null,
  id bigint not null,
  rows integer not null,
  primary key (table_name, tenant_id, column_name, number, word, id)
);

create table list_move (
  table_name varchar(63) not null,
  tenant_id varchar(12) not null,
  column_name varchar(63) not null,
  number numeric not null,
  word text not null,
  id bigint not null,
  delta integer not null
);
create index on list_move (table_name, tenant_id, column_name);

call secure_rows('list_order');
call secure_rows('list_block');
call secure_rows('list_move');

-- The key of a column, as two expressions for use in a text of SQL.
create function list_key(value text, type text) returns text language sql immutable as $$
  select case (select typcategory from pg_type where oid = type::regtype)
    when 'S' then format('case when %1$s is null then ''NaN''::numeric else 0 end, coalesce(%1$s::text, '''')', value)
    when 'D' then format('coalesce(extract(epoch from %s), ''NaN''::numeric), ''''', value)
    when 'B' then format('coalesce(%s::integer::numeric, ''NaN''::numeric), ''''', value)
    else format('coalesce(%s::text::numeric, ''NaN''::numeric), ''''', value)
  end
$$;

-- The value a key was made of, as an expression; least is what the key of the first block begins with.
create function list_value(number numeric, word text, type text) returns text language sql immutable as $$
  select case (select typcategory from pg_type where oid = type::regtype)
    when 'S' then format('%L::%s', word, type)
    when 'D' then format('to_timestamp(%L::double precision)::%s', number, type)
    when 'B' then format('%L::integer::boolean', number)
    else format('%L::%s', number, type)
  end
$$;

create function least_number(type text) returns numeric language sql immutable as $$
  select case
    when (select typcategory from pg_type where oid = type::regtype) in ('S', 'B') then 0
    when type = 'smallint' then -32768
    when type = 'integer' then -2147483648
    when type = 'bigint' then -9223372036854775808
    else '-Infinity'::numeric
  end
$$;

-- The live rows from a key up to another (null: to the end), as a text of SQL that begins with `from`-able brackets.
create function list_range(orders list_order, of_tenant text, low list_block, high list_block) returns text language plpgsql stable as $$
declare
  live text := format('select id, %I as value from %I where is_deleted = 0', orders.column_name, orders.table_name)
    || case when of_tenant = '' then '' else format(' and tenant_id = %L', of_tenant) end;
  valued text;
  empty text;
begin
  if low.number <> 'NaN' then
    valued := live || format(' and (%I, id) >= (%s, %s)', orders.column_name, list_value(low.number, low.word, orders.type), low.id);
    if high.number <> 'NaN' then
      valued := valued || format(' and (%I, id) < (%s, %s)', orders.column_name, list_value(high.number, high.word, orders.type), high.id);
    end if;
  end if;
  if high.number is null or high.number = 'NaN' then
    empty := live || format(' and %I is null', orders.column_name);
    if low.number = 'NaN' then
      empty := empty || format(' and id >= %s', low.id);
    end if;
    if high.number = 'NaN' then
      empty := empty || format(' and id < %s', high.id);
    end if;
  end if;
  return concat_ws(' union all ', valued, empty);
end $$;

-- Cuts a block into such of four thousand rows and sets their sizes right, in one statement: what it sees of the rows it sees of the moves.
create function cut_list_block(low list_block) returns void language plpgsql security definer set search_path from current as $$
declare
  orders list_order;
  high list_block;
begin
  select * into orders from list_order where table_name = low.table_name and column_name = low.column_name;
  select * into high from list_block b
    where b.table_name = low.table_name and b.tenant_id = low.tenant_id and b.column_name = low.column_name
      and (b.number, b.word, b.id) > (low.number, low.word, low.id)
    order by b.number, b.word, b.id limit 1;
  execute format($sql$
    with ranked as materialized (
      select id, value, row_number() over (order by value, id) - 1 as rank from (%1$s) found
    ), stones as (
      select $4 as number, $5 as word, $6 as id, 0 as rank
      union all
      select key.number, key.word, id, rank from ranked cross join lateral (select %2$s) key(number, word) where rank %% 4000 = 0 and rank > 0
    ), pieces as (
      select number, word, id, lead(rank, 1, (select count(*) from ranked)) over (order by rank) - rank as rows, true as is_stone from stones
      union all
      select number, word, id, -delta, false from list_move
      where table_name = $1 and tenant_id = $2 and column_name = $3
        and (number, word, id) >= ($4, $5, $6) and ($7::numeric is null or (number, word, id) < ($7, $8, $9))
    ), numbered as (
      select *, count(*) filter (where is_stone) over (order by number, word, id, is_stone desc) as block from pieces
    )
    insert into list_block
    select $1, $2, $3, max(number) filter (where is_stone), max(word) filter (where is_stone), max(id) filter (where is_stone), sum(rows)
    from numbered group by block
    on conflict (table_name, tenant_id, column_name, number, word, id) do update set rows = excluded.rows
  $sql$, list_range(orders, low.tenant_id, low, high), list_key('value', orders.type))
  using low.table_name, low.tenant_id, low.column_name, low.number, low.word, low.id, high.number, high.word, high.id;
end $$;

create function begin_list_blocks(of_table text, of_tenant text) returns void language sql security definer set search_path from current as $$
  insert into list_block
  select table_name, of_tenant, column_name, least_number(type), '', -9223372036854775808, 0 from list_order where table_name = of_table
  on conflict do nothing
$$;

create function hold_list_blocks(of_table text, of_tenant text) returns boolean language sql as $$
  select pg_try_advisory_xact_lock(20240103, hashtext(of_table || ' ' || of_tenant))
$$;

create function fold_list_moves(of_table text, of_tenant text) returns void language plpgsql security definer set search_path from current as $$
declare
  block list_block;
begin
  if not hold_list_blocks(of_table, of_tenant) then
    return;
  end if;
  perform begin_list_blocks(of_table, of_tenant);
  with gone as (
    delete from list_move where table_name = of_table and tenant_id = of_tenant returning column_name, number, word, id, delta
  ), sums as (
    select column_name, home.number, home.word, home.id, sum(delta) as delta
    from gone cross join lateral (
      select b.number, b.word, b.id from list_block b
      where b.table_name = of_table and b.tenant_id = of_tenant and b.column_name = gone.column_name
        and (b.number, b.word, b.id) <= (gone.number, gone.word, gone.id)
      order by b.number desc, b.word desc, b.id desc limit 1
    ) home
    group by column_name, home.number, home.word, home.id
  )
  update list_block b set rows = b.rows + sums.delta from sums
  where b.table_name = of_table and b.tenant_id = of_tenant and b.column_name = sums.column_name
    and b.number = sums.number and b.word = sums.word and b.id = sums.id and sums.delta <> 0;
  for block in select * from list_block where table_name = of_table and tenant_id = of_tenant and rows > 8000 loop
    perform cut_list_block(block);
  end loop;
  perform join_list_blocks(of_table, of_tenant);
end $$;

-- A block that has nearly emptied becomes part of the one before it.
create function join_list_blocks(of_table text, of_tenant text) returns void language plpgsql security definer set search_path from current as $$
declare
  block list_block;
begin
  for block in
    select * from list_block
    where table_name = of_table and tenant_id = of_tenant and rows < 400 and id <> -9223372036854775808
    order by column_name, number, word, id
  loop
    delete from list_block b
      where (b.table_name, b.tenant_id, b.column_name, b.number, b.word, b.id)
        = (of_table, of_tenant, block.column_name, block.number, block.word, block.id);
    update list_block b set rows = b.rows + block.rows
      where (b.table_name, b.tenant_id, b.column_name) = (of_table, of_tenant, block.column_name)
        and (b.number, b.word, b.id) = (
          select f.number, f.word, f.id from list_block f
          where f.table_name = of_table and f.tenant_id = of_tenant and f.column_name = block.column_name
            and (f.number, f.word, f.id) < (block.number, block.word, block.id)
          order by f.number desc, f.word desc, f.id desc limit 1
        );
  end loop;
end $$;

-- For a statement that has changed so much of a list that cutting it anew costs less than telling each move. False when somebody else is at it.
create function renew_list_blocks(of_table text, of_tenant text, changed bigint) returns boolean language plpgsql security definer set search_path from current as $$
declare
  block list_block;
begin
  if changed < 10000 or changed * 10 < (select sum(rows) from list_block
      where table_name = of_table and tenant_id = of_tenant and column_name = (select min(column_name) from list_order where table_name = of_table)) then
    return false;
  end if;
  if not hold_list_blocks(of_table, of_tenant) then
    return false;
  end if;
  delete from list_block where table_name = of_table and tenant_id = of_tenant;
  perform begin_list_blocks(of_table, of_tenant);
  for block in select * from list_block where table_name = of_table and tenant_id = of_tenant loop
    perform cut_list_block(block);
  end loop;
  return true;
end $$;

create function forget_list_blocks() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from list_move where table_name = tg_table_name;
  delete from list_block where table_name = tg_table_name;
  return null;
end $$;

-- Tells the moves of each statement. A function for each table, so that its columns stand in a text that is planned once.
create procedure note_list_moves(of_table regclass) language plpgsql as $$
declare
  plain text := (select relname from pg_class where oid = of_table);
  tenant text := case when exists (select from pg_policy where polrelid = of_table and polname = 'tenant') then 'tenant_id' else '''''::text' end;
  columns text := (select string_agg(quote_ident(column_name), ', ' order by column_name) from list_order where table_name = plain);
  keys text := (select string_agg(format('(%L, %s)', column_name, list_key('side.' || quote_ident(column_name), type)), ', ' order by column_name)
    from list_order where table_name = plain);
begin
  execute format($sql$
    create or replace function %1$I() returns trigger language plpgsql security definer set search_path from current as $body$
    declare
      renewed text[] := '{}';
      told bigint;
    begin
      -- A statement that changes much may be cheaper to count anew.
      if tg_op = 'INSERT' then
        if (select count(*) from changed) >= 10000 then
          renewed := array(select whose from (select %3$s as whose, count(*) as many from changed group by 1) parts where renew_list_blocks(%2$L, whose, many));
        end if;
        insert into list_move
        select %2$L, side.whose, key.*, side.id, 1
        from (select %3$s as whose, id, %4$s from changed where is_deleted = 0) side
        cross join lateral (values %5$s) key(column_name, number, word)
        where side.whose <> all (renewed);
      elsif tg_op = 'DELETE' then
        if (select count(*) from was) >= 10000 then
          renewed := array(select whose from (select %3$s as whose, count(*) as many from was group by 1) parts where renew_list_blocks(%2$L, whose, many));
        end if;
        insert into list_move
        select %2$L, side.whose, key.*, side.id, -1
        from (select %3$s as whose, id, %4$s from was where is_deleted = 0) side
        cross join lateral (values %5$s) key(column_name, number, word)
        where side.whose <> all (renewed);
      else
        if (select count(*) from was) >= 10000 then
          renewed := array(
            select whose from (select whose, count(*) as many from (select %3$s as whose from was union all select %3$s from changed) both_sides group by 1) parts
            where renew_list_blocks(%2$L, whose, many / 2)
          );
        end if;
        insert into list_move
        select %2$L, side.whose, key.*, side.id, side.list_delta
        from (
          select whose, id, %4$s, sum(list_delta) as list_delta
          from (
            select %3$s as whose, id, %4$s, 1 as list_delta from changed where is_deleted = 0
            union all
            select %3$s, id, %4$s, -1 from was where is_deleted = 0
          ) states
          where whose <> all (renewed)
          group by whose, id, %4$s having sum(list_delta) <> 0
        ) side
        cross join lateral (values %5$s) key(column_name, number, word);
      end if;
      get diagnostics told = row_count;
      if told > 1000 or (told > 0 and random() < 0.005) then
        if tg_op = 'INSERT' then
          perform fold_list_moves(%2$L, whose) from (select distinct %3$s as whose from changed) parts where whose <> all (renewed);
        else
          perform fold_list_moves(%2$L, whose) from (select distinct %3$s as whose from was) parts where whose <> all (renewed);
        end if;
      end if;
      return null;
    end $body$
  $sql$, 'note_moves_of_' || plain, plain, tenant, columns, keys);
end $$;

-- Keeps the places of a list in the order of this column.
create procedure keep_places(of_table regclass, name text) language plpgsql as $$
declare
  plain text := (select relname from pg_class where oid = of_table);
  noting text := 'note_moves_of_' || plain;
  owner record;
begin
  insert into list_order
  select plain, name, format_type(atttypid, null) from pg_attribute
  where attrelid = of_table and attname = name
    and (attcollation = 0 or attcollation = 'default'::regcollation)
    and (select typcategory from pg_type where oid = atttypid) in ('S', 'D', 'B', 'N')
  on conflict do nothing;
  if not found then
    return;
  end if;
  call note_list_moves(of_table);
  if not exists (select from pg_trigger where tgrelid = of_table and tgname = 'moved_inserted') then
    execute format('create trigger moved_inserted after insert on %s referencing new table as changed for each statement execute function %I()', of_table, noting);
    execute format('create trigger moved_updated after update on %s referencing old table as was new table as changed for each statement execute function %I()', of_table, noting);
    execute format('create trigger moved_deleted after delete on %s referencing old table as was for each statement execute function %I()', of_table, noting);
    execute format('create trigger moved_truncated after truncate on %s for each statement execute function forget_list_blocks()', of_table);
  end if;
  -- Whoever writes to the table meanwhile waits for this transaction.
  execute format('lock table %s in share row exclusive mode', of_table);
  for owner in execute format('select distinct %s as id from %s',
      case when exists (select from pg_policy where polrelid = of_table and polname = 'tenant') then 'tenant_id' else '''''' end, of_table) loop
    perform begin_list_blocks(plain, owner.id);
    perform cut_list_block(b) from list_block b where table_name = plain and tenant_id = owner.id and column_name = name;
  end loop;
end $$;

create or replace procedure sort_by(of_table regclass, name text) language plpgsql as $$
declare
  by_tenant boolean := exists (select from pg_policy where polrelid = of_table and polname = 'tenant');
begin
  execute format('create index on %s (%s%I, id) where is_deleted = 0', of_table, case when by_tenant then 'tenant_id, ' end, name);
  call keep_places(of_table, name);
end $$;

-- Where a page stands as the current work sees its list: the key to start at and, from there in ascending order, the rows to skip and to take.
-- No row where no places are kept: before the first fold, and for the platform's look at all tenants at once.
create function page_place(of_table text, shared boolean, of_column text, descending boolean, first bigint, size bigint)
returns table (at_number numeric, at_word text, at_id bigint, skip bigint, take bigint, total bigint)
language plpgsql stable security definer rows 1 set search_path from current set plan_cache_mode = force_generic_plan as $$
declare
  whose text := case when shared then '' else coalesce(nullif(current_setting('app.tenant', true), ''), '*') end;
begin
  return query
  with steps as (
    select b.number, b.word, b.id, b.rows, true as is_stone from list_block b
    where b.table_name = of_table and b.tenant_id = whose and b.column_name = of_column
    union all
    select m.number, m.word, m.id, m.delta, false from list_move m
    where m.table_name = of_table and m.tenant_id = whose and m.column_name = of_column
  ), ranked as (
    select *, sum(rows) over (order by number, word, id, is_stone desc) - rows as rank, sum(rows) over () as everything from steps
  ), wanted as (
    select *, case when descending then greatest(everything - first - size, 0) else first end as start from ranked
  )
  select number, word, id, start - rank, greatest(least(size, everything - first), 0), everything
  from wanted where is_stone and rank <= start
  order by number desc, word desc, id desc limit 1;
end $$;

-- What a connection does once, when it is new: it plans what every list asks and reads up on the tables, so that no visitor waits for that.
-- Where somebody is changing a table it does without.
create function warm_lists() returns void language plpgsql set lock_timeout = '20ms' as $$
declare
  listed record;
begin
  perform kept_count('', true);
  perform page_place('', true, '', false, 0, 1);
  for listed in
    select table_name, column_name from list_order
    join pg_attribute on attrelid = to_regclass(quote_ident(table_name)) and attname = column_name and not attisdropped
  loop
    execute format('select from %I where is_deleted = 0 order by %I, id limit 0', listed.table_name, listed.column_name);
  end loop;
exception when lock_not_available then
  null;
end $$;

-- The lists that are there already.
do $$
declare
  sorted record;
begin
  for sorted in
    select index.indrelid::regclass as of_table, attribute.attname as name
    from pg_index index
    join pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attnum = index.indkey[index.indnkeyatts - 2]
    join pg_attribute last on last.attrelid = index.indrelid and last.attnum = index.indkey[index.indnkeyatts - 1] and last.attname = 'id'
    where pg_get_expr(index.indpred, index.indrelid) = '(is_deleted = 0)' and not index.indisunique
      and index.indnkeyatts = case when exists (select from pg_policy where polrelid = index.indrelid and polname = 'tenant') then 3 else 2 end
      and exists (select from pg_trigger where tgrelid = index.indrelid and tgname = 'count_inserted')
  loop
    call keep_places(sorted.of_table, sorted.name);
  end loop;
end $$;
