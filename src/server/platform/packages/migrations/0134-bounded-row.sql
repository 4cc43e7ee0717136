-- Refuses a row that is too long for the answer of a statement of a contained plugin, before the server receives it.
create function bounded_row(row_text text) returns boolean language plpgsql immutable as $$
begin
  if octet_length(row_text) > 65536 then
    raise exception 'A contained plugin may not read a row of % bytes; at most 65,536 are allowed.', octet_length(row_text);
  end if;
  return true;
end $$;
