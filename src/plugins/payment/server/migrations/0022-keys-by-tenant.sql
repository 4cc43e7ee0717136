-- Keys contain the tenant, by which the tables can be distributed.
create unique index concurrently if not exists payout_by_id on payout (id, tenant_id);
create unique index concurrently if not exists payout_bill_of_tenant on payout (pay_no, tenant_id);
create unique index concurrently if not exists payout_once_of_tenant on payout (submission_id, tenant_id) where state in (0, 1, 2);
create unique index concurrently if not exists ledger_posting_by_id on ledger_posting (id, tenant_id);
create unique index concurrently if not exists ledger_posting_once_of_tenant
  on ledger_posting (pay_no, account, (kind = 3), (reverses is not null), tenant_id) where pay_no is not null;
create unique index concurrently if not exists ledger_posting_reversal_of_tenant on ledger_posting (reverses, account, tenant_id) where reverses is not null;
