create or replace view attach with (security_invoker = true) as
  select f.id, f.tenant_id, f.owner_id as create_user, f.owner_dept as create_dept, f.create_time, null::bigint as update_user, null::timestamptz(0) as update_time,
    1 as status, 0::smallint as is_deleted, f.name as original_name, f.key as name, coalesce(lower(substring(f.name from '\.(\w{1,16})$')), '') as extension,
    f.type, f.size as attach_size, f.is_public, coalesce(o.oss_code, '') as store_name, coalesce(u.real_name, '') as owner_name, f.is_kept
  from stored_file f
  left join oss o on f.store = 'oss:' || o.id
  left join user_account u on u.id = f.owner_id
  where f.stage = 'kept' and f.purpose = 'upload' and f.expires_at is null;
