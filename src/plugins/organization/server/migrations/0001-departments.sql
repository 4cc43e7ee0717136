-- A deployment says itself which kinds of departments it has.
alter table dept alter column dept_category type varchar(64), alter column ancestors type text;

-- The path to a department follows from its parent, whoever writes it.
create function place_dept() returns trigger language plpgsql as $$
begin
  new.ancestors := '0';
  if new.parent_id <> 0 then
    select coalesce(max(parent.ancestors || ',' || parent.id), '0') into new.ancestors from dept parent where parent.id = new.parent_id;
  end if;
  if new.id::text = any (string_to_array(new.ancestors, ',')) then
    raise exception 'department % would stand below itself', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger dept_placed before insert or update of parent_id, ancestors on dept for each row execute function place_dept();

-- Deleted ones too: they may come back.
create function place_depts_below() returns trigger language plpgsql as $$
begin
  update dept set ancestors = '' where parent_id = new.id;
  return null;
end $$;

create trigger dept_moved after update on dept for each row when (old.ancestors is distinct from new.ancestors) execute function place_depts_below();

update dept set ancestors = '';
