-- Whoever is brought back after a deletion may have missed what was released meanwhile.
create function note_returned_users() returns trigger language plpgsql as $$
begin
  insert into notice_newcomer (tenant_id, user_id)
  select back.tenant_id, back.id from joined back join was on was.id = back.id where was.is_deleted <> 0 and back.is_deleted = 0
  on conflict do nothing;
  return null;
end $$;

create trigger notice_user_returned after update on user_account referencing new table as joined old table as was for each statement execute function note_returned_users();
