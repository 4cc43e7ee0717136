-- A tenant's code is six digits, nobody's before: those of deleted tenants stay theirs.
create function unused_tenant_code() returns varchar language plpgsql volatile as $$
declare
  code varchar;
begin
  loop
    code := (100000 + floor(random() * 900000))::integer::varchar;
    exit when not exists (select from tenant t where t.tenant_id = code);
  end loop;
  return code;
end $$;

alter table tenant alter tenant_id set default unused_tenant_code();

alter table tenant alter expire_time type timestamptz(0);
