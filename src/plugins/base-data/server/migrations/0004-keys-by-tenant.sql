-- Postings and payouts refer to an advertiser of their own tenant.
create unique index concurrently if not exists advertiser_of_tenant on advertiser (id, tenant_id);
