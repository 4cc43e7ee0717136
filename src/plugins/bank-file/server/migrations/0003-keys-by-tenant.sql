-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists bank_account_by_id on bank_account (id, tenant_id);
create unique index concurrently if not exists bank_file_by_id on bank_file (id, tenant_id);
create unique index concurrently if not exists bank_file_line_by_id on bank_file_line (id, tenant_id);
