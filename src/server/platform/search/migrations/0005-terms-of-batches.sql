-- Rows that are added together share many of their values, such as the title of a task: the terms of each value are built once for all rows of a statement.
-- A new row has no terms yet, and the server adds those of older rows only once they are committed, so that no term exists already. The terms of ten
-- thousand rows are sorted in memory.
create or replace function add_search_terms() returns trigger language plpgsql security definer set search_path from current set work_mem = '64MB' as $$
begin
  -- Rows are grouped by value instead of joined with the terms of values: a plan made for a single row would compare each row of a batch with each value.
  insert into search_term (tenant_id, source, term, record_id, field)
  select c.tenant_id, tg_argv[0]::smallint, t.term, c.record_id, c.field
  from (
    select f.value, array_agg(f.tenant_id) as tenants, array_agg(f.record_id) as records, array_agg(f.field) as fields
    from (
      select r.id as record_id, case when tg_argv[1] = 'tenant' then r.of_row ->> 'tenant_id' else '' end as tenant_id, n.place::smallint as field, r.of_row ->> n.name as value
      from (select id, to_jsonb(changed) as of_row from changed where is_deleted = 0) r, unnest(tg_argv[2]::text[]) with ordinality n(name, place)
    ) f where f.value <> '' group by f.value
  ) g, unnest(array(select distinct one from unnest(search_terms(g.value)) one)) t(term), unnest(g.tenants, g.records, g.fields) c(tenant_id, record_id, field)
  order by 1, 2, 3;
  return null;
end $$;

-- Values without text have no terms.
create or replace function search_terms_of(of_row jsonb, fields text[]) returns table (field smallint, term text) language sql stable as $$
  select distinct f.place::smallint, t.term
  from unnest(fields) with ordinality f(name, place), unnest(search_terms(of_row ->> f.name)) t(term) where of_row ->> f.name <> ''
$$;

-- Builds the same terms as before with less work: text is split without a pattern, and a character of one reading needs no combinations.
create or replace function search_terms(value text) returns text[] language plpgsql stable set search_path from current as $$
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
    characters := string_to_array(words, null);
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
      elsif cardinality(pinyin) = 1 and cardinality(short) = 1 and readings[at] ~ '^[a-z]+$' then
        -- Most characters have one reading, and so need no combinations.
        pinyin[1] := left(readings[at] || pinyin[1], 20);
        short[1] := left(left(readings[at], 1) || short[1], 8);
        han_near := 6;
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
