-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists ledger_month_by_id on ledger_month (id, tenant_id);
create unique index concurrently if not exists pay_channel_by_id on pay_channel (id, tenant_id);
create unique index concurrently if not exists payment_difference_by_id on payment_difference (id, tenant_id);
create unique index concurrently if not exists payment_limits_by_id on payment_limits (id, tenant_id);
create unique index concurrently if not exists payment_reconciliation_by_id on payment_reconciliation (id, tenant_id);
create unique index concurrently if not exists payment_run_by_id on payment_run (id, tenant_id);
create unique index concurrently if not exists receipt_by_id on receipt (id, tenant_id);
create unique index concurrently if not exists payment_difference_once_of_tenant on payment_difference (reconciliation_id, pay_no, kind, tenant_id);
create unique index concurrently if not exists receipt_of_entry_of_tenant on receipt (entry_id, tenant_id);
create unique index concurrently if not exists receipt_reversal_of_tenant on receipt (reverses, tenant_id) where state in (0, 1);
