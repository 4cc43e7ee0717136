-- Terms by which records are found: the beginnings of words, Chinese characters and numbers in their fields, and the pinyin and initials of Chinese text.
-- A prefix is a range of the primary key, whose comparisons are leakproof, so that row level security does not prevent the index from being used.

create table pinyin_reading (
  character text collate "C" primary key,
  readings text[] not null
);
grant select on pinyin_reading to marquee_tenant;

create table search_source (
  id smallint generated always as identity primary key,
  entity varchar(63) not null unique,
  -- Columns whose values are found, in the order of `search_term.field`.
  fields text[] not null,
  -- Last row of those that existed before the source and have terms; null once all have.
  indexed_to bigint
);

-- The tenant is empty for rows of the platform's tables.
create table search_term (
  tenant_id varchar(12) not null,
  source smallint not null,
  term text collate "C" not null,
  record_id bigint not null,
  field smallint not null,
  primary key (tenant_id, source, term, record_id, field)
);
call secure_rows('search_term');
create policy tenant on search_term for select to marquee_tenant using (tenant_id in ('', (select current_setting('app.tenant', true))));
grant select on search_term to marquee_tenant;

-- Prepares text for comparison: lower case, without spaces and punctuation.
create function searchable_text(value text) returns text language sql immutable as $$
  select regexp_replace(lower(normalize(value, NFKC)), '[\s!-/:-@\[-`{-~、。“”‘’《》【】·¥]+', ' ', 'g')
$$;

-- Joins each reading of a character to each continuation; the most frequent ones come first, and the rest is dropped.
create function joined_readings(readings text[], continuations text[], most integer) returns text[] language plpgsql immutable as $$
declare
  joined text[] := '{}';
  reading text;
  continuation text;
begin
  foreach reading in array readings loop
    foreach continuation in array continuations loop
      continuation := left(reading || continuation, most);
      if cardinality(joined) < 4 and not continuation = any(joined) then
        joined := joined || continuation;
      end if;
    end loop;
  end loop;
  return joined;
end $$;

-- Terms of one value, built from its end: at each character the text, pinyin and initials that continue there.
create function search_terms(value text) returns text[] language plpgsql stable set search_path from current as $$
declare
  words text := left(searchable_text(value), 160);
  characters text[];
  readings text[];
  rest text := '';
  pinyin text[] := array[''];
  short text[] := array[''];
  found text[] := '{}';
  one text;
  is_han boolean;
  han_near integer := 0;
begin
  if words is null or words in ('', ' ') then
    return '{}';
  end if;
  if words !~ '[^ -~]' then
    -- Without Chinese text, words and numbers are found by their beginning.
    characters := string_to_array(btrim(words), ' ');
    for at in reverse cardinality(characters)..1 loop
      rest := left(characters[at] || rest, 40);
      found := found || rest;
    end loop;
  else
    characters := regexp_split_to_array(words, '');
    readings := array(
      select (select array_to_string(p.readings, ' ') from pinyin_reading p where p.character = c.one)
      from unnest(characters) with ordinality c(one, place) order by c.place
    );
    for at in reverse cardinality(characters)..1 loop
      one := characters[at];
      continue when one = ' ';
      is_han := readings[at] is not null;
      rest := left(one || rest, 40);
      if not is_han then
        pinyin[1] := one || pinyin[1];
        short[1] := one || short[1];
        han_near := greatest(han_near - 1, 0);
      else
        pinyin := joined_readings(string_to_array(readings[at], ' '), pinyin, 20);
        short := joined_readings(string_to_array(regexp_replace(readings[at], '([a-z])[a-z]*', '\1', 'g'), ' '), short, 8);
        han_near := 6;
      end if;
      -- Latin words and numbers are found by their beginning, Chinese text by each of its characters.
      if is_han or at = 1 or one !~ '[a-z0-9]' or characters[at - 1] !~ '[a-z0-9]' then
        found := found || case when is_han then left(rest, 12) else rest end;
        if han_near > 0 then
          found := found || pinyin || short;
        end if;
      end if;
    end loop;
  end if;
  -- A number is also found by its last four or six characters.
  if rest ~ '^[a-z0-9]*[0-9][a-z0-9]*$' and length(rest) >= 8 then
    words := replace(words, ' ', '');
    found := found || right(words, 4) || right(words, 6);
  end if;
  return found;
end $$;

-- Terms of the named columns of a row.
create function search_terms_of(of_row jsonb, fields text[]) returns table (field smallint, term text) language sql stable as $$
  select distinct f.place::smallint, t.term
  from unnest(fields) with ordinality f(name, place), unnest(search_terms(of_row ->> f.name)) t(term)
$$;

-- Arguments of the triggers: id of the source, `tenant` or `platform`, and the columns.
create function add_search_terms() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into search_term (tenant_id, source, term, record_id, field)
  select case when tg_argv[1] = 'tenant' then r.of_row ->> 'tenant_id' else '' end, tg_argv[0]::smallint, t.term, r.id, t.field
  from (select id, is_deleted, to_jsonb(changed) as of_row from changed) r, search_terms_of(r.of_row, tg_argv[2]::text[]) t
  where r.is_deleted = 0
  order by 1, 2, 3
  on conflict do nothing;
  return null;
end $$;

create function replace_search_terms() returns trigger language plpgsql security definer set search_path from current as $$
declare
  of_tenant text := case when tg_argv[1] = 'tenant' then to_jsonb(old) ->> 'tenant_id' else '' end;
begin
  if old.is_deleted = 0 then
    delete from search_term s using search_terms_of(to_jsonb(old), tg_argv[2]::text[]) t
    where s.tenant_id = of_tenant and s.source = tg_argv[0]::smallint and s.term = t.term and s.record_id = old.id and s.field = t.field;
  end if;
  if tg_op = 'UPDATE' and new.is_deleted = 0 then
    insert into search_term (tenant_id, source, term, record_id, field)
    select of_tenant, tg_argv[0]::smallint, t.term, new.id, t.field from search_terms_of(to_jsonb(new), tg_argv[2]::text[]) t
    on conflict do nothing;
  end if;
  return null;
end $$;

create function clear_search_terms() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from search_term where source = tg_argv[0]::smallint;
  return null;
end $$;

-- Keeps the terms of a table from now on; rows that exist already get theirs from `continue_search_terms`.
create procedure keep_search_terms(of_table text, owner text, columns text[]) language plpgsql as $$
declare
  source record;
  arguments text;
  is_changed text;
begin
  select * into source from search_source s where s.entity = of_table;
  if source.fields = columns then
    return;
  end if;
  insert into search_source as s (entity, fields, indexed_to) values (of_table, columns, 0)
  on conflict (entity) do update set fields = excluded.fields, indexed_to = 0 returning * into source;
  delete from search_term s where s.source = source.id;
  execute format('drop trigger if exists search_inserted on %I', of_table);
  execute format('drop trigger if exists search_updated on %I', of_table);
  execute format('drop trigger if exists search_deleted on %I', of_table);
  execute format('drop trigger if exists search_truncated on %I', of_table);
  arguments := format('%L, %L, %L', source.id, owner, columns);
  select string_agg(format('old.%I is distinct from new.%I', name, name), ' or ') into is_changed from unnest(columns || array['is_deleted']) name;
  execute format('create trigger search_inserted after insert on %I referencing new table as changed for each statement execute function add_search_terms(%s)', of_table, arguments);
  execute format('create trigger search_updated after update on %I for each row when (%s) execute function replace_search_terms(%s)', of_table, is_changed, arguments);
  execute format('create trigger search_deleted after delete on %I for each row when (old.is_deleted = 0) execute function replace_search_terms(%s)', of_table, arguments);
  execute format('create trigger search_truncated after truncate on %I for each statement execute function clear_search_terms(%s)', of_table, arguments);
end $$;

-- Adds the terms of some rows that existed before their source; false once no source has such rows.
create function continue_search_terms(most integer) returns boolean language plpgsql as $$
declare
  source record;
  last bigint;
begin
  select * into source from search_source where indexed_to is not null order by id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  -- A row that is being written is waited for, so that terms of its earlier values are not added after its own.
  execute format(
    'with r as materialized (select * from %1$I where id > $1 and is_deleted = 0 order by id limit $2 for share), added as (
       insert into search_term (tenant_id, source, term, record_id, field)
       select %2$s, $3, t.term, r.id, t.field from r, search_terms_of(to_jsonb(r), $4) t order by 1, 2, 3 on conflict do nothing)
     select max(id) from r',
    source.entity,
    case when has_column(source.entity::regclass, 'tenant_id') then 'r.tenant_id' else '''''' end
  ) into last using source.indexed_to, most, source.id, source.fields;
  update search_source set indexed_to = last where id = source.id;
  return true;
end $$;
