-- Keys of tables that can be distributed by tenant contain it; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists login_log_by_id on login_log (id, tenant_id);
create unique index concurrently if not exists stored_file_by_id on stored_file (id, tenant_id);
create unique index concurrently if not exists stored_file_by_key on stored_file (key, tenant_id);
create unique index concurrently if not exists stored_part_by_number on stored_part (tenant_id, file_id, number);
