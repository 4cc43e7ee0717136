-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists miniapp_setting_by_id on miniapp_setting (id, tenant_id);
create unique index concurrently if not exists banner_by_id on banner (id, tenant_id);
