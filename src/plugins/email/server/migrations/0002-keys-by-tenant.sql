-- Keys contain the tenant, by which the tables can be distributed; the id comes first, so that rows are also found by it alone.
create unique index concurrently if not exists email_message_by_id on email_message (id, tenant_id);
create unique index concurrently if not exists email_server_by_id on email_server (id, tenant_id);
create unique index concurrently if not exists email_view_by_id on email_view (id, tenant_id);
