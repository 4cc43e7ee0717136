-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists oss_by_id on oss (id, tenant_id);
