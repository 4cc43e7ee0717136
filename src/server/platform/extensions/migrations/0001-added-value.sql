-- Values of fields that plugins have added to the rows of others; they stay while such a plugin is off.
create table added_value (
  tenant_id varchar(12) not null,
  entity varchar(64) not null,
  row_id bigint not null,
  plugin_id varchar(64) not null,
  value jsonb not null,
  primary key (tenant_id, entity, row_id, plugin_id)
);

call own_by_tenant('added_value');
