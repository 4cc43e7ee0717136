-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists dict_biz_by_id on dict_biz (id, tenant_id);
