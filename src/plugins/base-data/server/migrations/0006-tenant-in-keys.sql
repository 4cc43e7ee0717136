alter table category drop constraint category_pkey, add constraint category_pkey primary key using index category_by_id;
alter table city drop constraint city_pkey, add constraint city_pkey primary key using index city_by_id;
alter table platform drop constraint platform_pkey, add constraint platform_pkey primary key using index platform_by_id;
alter table task_grade drop constraint task_grade_pkey, add constraint task_grade_pkey primary key using index task_grade_by_id;
-- References of payments go with the key; their plugin adds them again with the tenant.
alter table advertiser drop constraint advertiser_pkey cascade, add constraint advertiser_pkey primary key using index advertiser_of_tenant;

-- A file of payments that has not run yet drops two of them by name.
do $$ begin
  if to_regclass('payout') is not null and not exists (select from schema_migration where plugin = 'payment' and name = '0023-tenant-in-keys.sql') then
    alter table payout add constraint payout_advertiser_id_fkey check (true) not valid;
    alter table ledger_posting add constraint ledger_posting_advertiser_id_fkey check (true) not valid;
  end if;
end $$;
