-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists payee_by_id on payee (id, tenant_id);
create unique index concurrently if not exists payee_income_by_id on payee_income (id, tenant_id);
create unique index concurrently if not exists withholding_rule_by_id on withholding_rule (id, tenant_id);
create unique index concurrently if not exists platform_report_by_id on platform_report (id, tenant_id);
create unique index concurrently if not exists platform_report_row_by_id on platform_report_row (id, tenant_id);
create unique index concurrently if not exists report_format_by_id on report_format (id, tenant_id);
create unique index concurrently if not exists platform_report_row_of_payee_of_tenant on platform_report_row (report_id, user_id, tenant_id);
