-- First columns of a table of tenants: create table thing (like tenant_row including all, …). Its key contains the tenant from the beginning.
create table tenant_row (
  like base_row including defaults,
  tenant_id varchar(12) not null default current_setting('app.tenant'),
  primary key (id, tenant_id)
);
