-- Deletes whole months also of entries for which no month was prepared, so that one time separates deleted entries from the others.
create or replace function drop_old_log(of_table regclass, days integer) returns setof text language plpgsql as $$
declare
  edge timestamptz := date_trunc('month', now() - make_interval(days => days));
  part text;
begin
  perform pg_advisory_xact_lock(20240102, hashtext(of_table::text));
  for part in
    select inhrelid::regclass::text from pg_inherits
    where inhparent = of_table and inhrelid::regclass::text ~ '_\d{6}$'
      and to_date(right(inhrelid::regclass::text, 6), 'YYYYMM') + interval '1 month' <= edge
  loop
    if exists (select from pg_trigger where tgrelid = of_table and tgname = 'count_inserted') then
      execute format('insert into row_count_delta select tenant_id, %L, -count(*) from %s where is_deleted = 0 group by tenant_id', of_table, part);
    end if;
    execute format('drop table %s', part);
    return next part;
  end loop;
  execute format('delete from %s where create_time < %L and tableoid = %L::regclass', of_table, edge, of_table || '_rest');
end $$;
