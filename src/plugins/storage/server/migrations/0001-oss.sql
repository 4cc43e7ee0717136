create table oss (
  like base_row including all,
  category varchar(64) not null,
  oss_code varchar(32) not null,
  endpoint varchar(1000),
  transform_endpoint varchar(1000),
  bucket_name varchar(63),
  app_id varchar(32),
  region varchar(64),
  access_key varchar(255),
  secret_key text,
  remark varchar(255)
);

call own_by_tenant('oss');

create unique index oss_code_once on oss (tenant_id, oss_code) where is_deleted = 0;
create unique index oss_enabled_once on oss (tenant_id) where status = 2 and is_deleted = 0;

call sort_by('oss', 'oss_code');

-- What users have uploaded, as the family calls it. Row level security is that of the tables below.
create view attach with (security_invoker = true) as
  select f.id, f.tenant_id, f.owner_id as create_user, f.owner_dept as create_dept, f.create_time, null::bigint as update_user, null::timestamptz(0) as update_time,
    1 as status, 0::smallint as is_deleted, f.name as original_name, f.key as name, coalesce(lower(substring(f.name from '\.(\w{1,16})$')), '') as extension,
    f.type, f.size as attach_size, f.is_public, coalesce(o.oss_code, '') as store_name, coalesce(u.real_name, '') as owner_name
  from stored_file f
  left join oss o on f.store = 'oss:' || o.id
  left join user_account u on u.id = f.owner_id
  where f.stage = 'kept' and f.purpose = 'upload' and f.expires_at is null;

grant select on attach to marquee_tenant;
