-- What a tenant may have: whom to call, how many accounts, and the package its menu is limited to.

create table tenant_package (
  like base_row including all,
  package_name varchar(64) not null,
  -- Ids of pages and buttons; what stands above them comes with them.
  menu_id jsonb not null,
  remark varchar(255)
);

call own_by_platform('tenant_package');

create unique index tenant_package_once on tenant_package (package_name) where is_deleted = 0;

call sort_by('tenant_package', 'package_name');

alter table tenant
  add column linkman varchar(64),
  add column contact_number varchar(32),
  add column address varchar(255),
  -- -1: as many as one likes.
  add column account_number integer not null default -1,
  add column package_id bigint references tenant_package (id),
  add column datasource_id bigint;

create index tenant_by_package on tenant (package_id) where package_id is not null;

call sort_by('tenant', 'tenant_id');
call sort_by('tenant', 'tenant_name');
call sort_by('tenant', 'expire_time');

-- Tenants that were deleted, as long as they can be brought back, with the columns every entity has.
create view deleted_tenant with (security_invoker = true) as
  select
    t.id, t.tenant_id, t.tenant_name, t.linkman, t.update_time as deleted_at, t.update_time + interval '30 days' as restorable_until,
    t.create_user, t.create_dept, t.create_time, t.update_user, t.update_time, t.status, 0::smallint as is_deleted
  from tenant t
  where t.is_deleted = 1 and t.update_time > now() - interval '30 days';

grant select on deleted_tenant to marquee_tenant;

-- Accounts count unless they are deleted or still wait for an administrator. The tenant's row is held, so two who add at once are counted after one another.
create function refuse_accounts_beyond_quota() returns trigger language plpgsql security definer set search_path from current as $$
declare
  grown varchar[];
  full_tenant varchar;
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct c.tenant_id) into grown from changed c where c.is_deleted = 0 and c.status <> 3;
  else
    select array_agg(distinct c.tenant_id) into grown from changed c join was w on w.id = c.id
      where c.is_deleted = 0 and c.status <> 3 and (w.is_deleted <> 0 or w.status = 3);
  end if;
  if grown is null then
    return null;
  end if;
  perform from tenant t where t.tenant_id = any (grown) and t.is_deleted = 0 and t.account_number > 0 order by t.id for update;
  if not found then
    return null;
  end if;
  select t.tenant_id into full_tenant from tenant t
    where t.tenant_id = any (grown) and t.is_deleted = 0 and t.account_number > 0
      and (select count(*) from user_account u where u.tenant_id = t.tenant_id and u.is_deleted = 0 and u.status <> 3) > t.account_number
    limit 1;
  if full_tenant is not null then
    raise exception 'the tenant % has as many accounts as it may have', full_tenant using errcode = 'MQ001';
  end if;
  return null;
end $$;

create trigger quota_of_added after insert on user_account referencing new table as changed
  for each statement execute function refuse_accounts_beyond_quota();
create trigger quota_of_changed after update on user_account referencing old table as was new table as changed
  for each statement execute function refuse_accounts_beyond_quota();
