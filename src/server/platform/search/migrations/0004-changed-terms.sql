-- A changed row replaces the terms of the fields that changed, and not of the others. Each old term is looked up by its whole key: a plan for all of them together, made while the
-- table was small, would read the terms of all rows for each row of a batch.
create or replace function replace_search_terms() returns trigger language plpgsql security definer set search_path from current set enable_seqscan = off as $$
declare
  of_source smallint := tg_argv[0]::smallint;
  before jsonb := to_jsonb(old);
  after jsonb := case tg_op when 'UPDATE' then to_jsonb(new) end;
  of_tenant text := case when tg_argv[1] = 'tenant' then before ->> 'tenant_id' else '' end;
  fields text[] := tg_argv[2]::text[];
  gone record;
begin
  if after ->> 'is_deleted' = before ->> 'is_deleted' then
    -- The others keep their places, as fields without a name.
    fields := array(
      select case when before ->> f.name is distinct from after ->> f.name then f.name end from unnest(fields) with ordinality f(name, place) order by f.place
    );
  end if;
  if old.is_deleted = 0 then
    for gone in select t.term, t.field from search_terms_of(before, fields) t loop
      delete from search_term s
      where s.tenant_id = of_tenant and s.source = of_source and s.term = gone.term and s.record_id = old.id and s.field = gone.field;
    end loop;
  end if;
  if (after ->> 'is_deleted')::integer = 0 then
    insert into search_term (tenant_id, source, term, record_id, field)
    select of_tenant, of_source, t.term, new.id, t.field from search_terms_of(after, fields) t
    on conflict do nothing;
  end if;
  return null;
end $$;
