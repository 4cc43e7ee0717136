-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists category_by_id on category (id, tenant_id);
create unique index concurrently if not exists city_by_id on city (id, tenant_id);
create unique index concurrently if not exists platform_by_id on platform (id, tenant_id);
create unique index concurrently if not exists task_grade_by_id on task_grade (id, tenant_id);
