-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists sms_by_id on sms (id, tenant_id);
create unique index concurrently if not exists sms_delivery_by_id on sms_delivery (id, tenant_id);
create unique index concurrently if not exists sms_template_by_id on sms_template (id, tenant_id);
create unique index concurrently if not exists sms_validation_by_id on sms_validation (id, tenant_id);
