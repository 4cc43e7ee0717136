create table depart_resource (
  like base_row including all,
  parent_id bigint not null default 0,
  pid bigint not null generated always as (parent_id) stored,
  type integer not null,
  name varchar(128) not null,
  url varchar(1000),
  cover varchar(1000),
  key varchar(64),
  ext varchar(32),
  mime varchar(128),
  size bigint not null default 0,
  duration integer,
  width integer,
  height integer,
  depart_id bigint,
  user_id bigint not null default 0,
  user_name varchar(64) not null default '',
  audit_user bigint,
  audit_time timestamptz(0),
  reason varchar(255),
  remark varchar(255),
  sort integer not null default 1,
  check (type in (1, 2) and (type = 1 or url is not null))
);

alter table depart_resource alter status set default 0;

call own_by_tenant('depart_resource');
call sort_by('depart_resource', 'name');
call sort_by('depart_resource', 'size');
call sort_by('depart_resource', 'sort');
create index depart_resource_below on depart_resource (tenant_id, parent_id, type, sort, name) where is_deleted = 0;
create index depart_resource_queue on depart_resource (tenant_id, status, id) where type = 2 and is_deleted = 0;
create index depart_resource_of_user on depart_resource (tenant_id, user_id, id) where is_deleted = 0;
create unique index depart_resource_folder_once on depart_resource (tenant_id, parent_id, coalesce(depart_id, 0), name) where type = 1 and is_deleted = 0;

-- What follows from what was entered: whose it is, what the file says of itself, and that new content waits for an audit.
create function keep_resource() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.depart_id := case when new.parent_id = 0 then new.create_dept else (select depart_id from depart_resource where id = new.parent_id) end;
    new.user_id := coalesce(new.create_user, 0);
    new.user_name := coalesce((select real_name from user_account where id = new.create_user), '');
  end if;
  if new.type = 1 then
    new.status := 1;
  elsif tg_op = 'INSERT' or substring(new.url from 'key=([0-9a-f]{32})') is distinct from old.key then
    select f.key, lower(nullif(substring(f.name from '\.([^.]{1,32})$'), '')), f.type, f.size into strict new.key, new.ext, new.mime, new.size
    from stored_file f where f.key = substring(new.url from 'key=([0-9a-f]{32})');
    new.status := 0;
    new.reason := null;
    new.audit_user := null;
    new.audit_time := null;
  end if;
  return new;
end $$;

create trigger keep_resource before insert or update of url, type on depart_resource for each row execute function keep_resource();

-- Whether what belongs to a department is for somebody of these departments: it is one of them or stands below one; without any, what is nobody's.
create function is_of_departments(department bigint, departments bigint[]) returns boolean language sql stable as $$
  select case
    when department is null then cardinality(departments) = 0
    else exists (
      select from dept d
      where d.id = department and (d.id = any (departments) or string_to_array(d.ancestors, ',')::bigint[] && departments))
  end
$$;
