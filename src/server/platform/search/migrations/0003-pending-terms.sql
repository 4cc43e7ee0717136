-- Tells tenants whether rows of a source still lack terms; lists also read the rows until then.
create function has_pending_terms(of_source smallint) returns boolean language sql stable security definer set search_path from current as $$
  select exists (select from search_source where id = of_source and indexed_to is not null)
$$;
