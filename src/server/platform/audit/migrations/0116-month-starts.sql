-- Creates the partitions of the coming months. A month begins where the partition before it ends, and ends where the one after it begins: those were created in another
-- time zone if the setting has changed since. In its first hours a month has not begun in zones further west, so that the month before may be missing.
create or replace function prepare_log(of_table regclass, months integer) returns void language plpgsql as $$
declare
  month date;
  part text;
  starts timestamptz;
  ends timestamptz;
  strays boolean;
  slack constant interval := '2 days';
begin
  perform pg_advisory_xact_lock(20240102, hashtext(of_table::text));
  for step in 0..months loop
    month := (date_trunc('month', now()) + make_interval(months => step))::date;
    part := format('%s_%s', of_table, to_char(month, 'YYYYMM'));
    if to_regclass(part) is null then
      starts := month;
      ends := month + interval '1 month';
      select coalesce(max(last) filter (where last between starts - slack and starts + slack), starts),
        coalesce(min(first) filter (where first between ends - slack and ends + slack), ends) into starts, ends
        from (select substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \('([^']+)'\)$re$)::timestamptz as first,
                substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']+)'\)$re$)::timestamptz as last
              from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = of_table) as edges;
      execute format('select exists (select from %s_rest where create_time >= %L and create_time < %L)', of_table, starts, ends) into strays;
      if not strays then
        execute format('create table %s partition of %s for values from (%L) to (%L)', part, of_table, starts, ends);
      end if;
    end if;
  end loop;
end $$;
