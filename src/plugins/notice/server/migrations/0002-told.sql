-- Whom each notice was told to, so that nobody is told twice and who joins its audience later is told as well.
create table notice_told (
  tenant_id varchar(12) not null,
  notice_id bigint not null references notice (id) on delete cascade,
  user_id bigint not null references user_account (id) on delete cascade,
  primary key (tenant_id, notice_id, user_id)
);

call own_by_tenant('notice_told');

insert into notice_told (tenant_id, notice_id, user_id)
select distinct m.tenant_id, n.id, m.user_id from inbox_message m join notice n on m.link = '/desk/reading/index?id=' || n.id;

-- Notices released of late, which newcomers are told of.
create index notice_released on notice (tenant_id, released_at) where released_at is not null and is_deleted = 0;

-- Users who may have joined an audience since anybody looked.
create table notice_newcomer (
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  primary key (tenant_id, user_id)
);

call own_by_tenant('notice_newcomer');

create function note_newcomers() returns trigger language plpgsql as $$
begin
  insert into notice_newcomer (tenant_id, user_id) select distinct tenant_id, user_id from joined on conflict do nothing;
  return null;
end $$;

create function note_new_users() returns trigger language plpgsql as $$
begin
  insert into notice_newcomer (tenant_id, user_id) select tenant_id, id from joined on conflict do nothing;
  return null;
end $$;

-- Whoever stands in a department that now lies below another.
create function note_moved_users() returns trigger language plpgsql as $$
begin
  insert into notice_newcomer (tenant_id, user_id)
  select distinct ud.tenant_id, ud.user_id from joined d join was on was.id = d.id and was.ancestors <> d.ancestors join user_dept ud on ud.dept_id = d.id
  on conflict do nothing;
  return null;
end $$;

create trigger notice_role_given after insert on user_role referencing new table as joined for each statement execute function note_newcomers();
create trigger notice_dept_given after insert on user_dept referencing new table as joined for each statement execute function note_newcomers();
create trigger notice_user_added after insert on user_account referencing new table as joined for each statement execute function note_new_users();
create trigger notice_dept_moved after update on dept referencing new table as joined old table as was for each statement execute function note_moved_users();
