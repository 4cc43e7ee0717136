-- What of a page's rows a role sees, and which addresses it may call. Written by the platform, granted by each tenant to its roles.

create table data_scope (
  like base_row including all,
  menu_id bigint not null,
  scope_name varchar(64) not null,
  resource_code varchar(64) not null,
  -- 1 all, 2 own, 3 own department, 4 department and below, 5 custom
  scope_type integer not null,
  -- The entity whose rows are meant; that of the page's code where nobody says.
  scope_class varchar(64),
  scope_column varchar(64),
  scope_field varchar(1000) not null default '*',
  scope_value text,
  remark varchar(255)
);

call own_by_platform('data_scope');

create index data_scope_by_menu on data_scope (menu_id) where is_deleted = 0;

create table api_scope (
  like base_row including all,
  menu_id bigint not null,
  scope_name varchar(64) not null,
  resource_code varchar(64) not null,
  scope_path varchar(255) not null,
  -- 1 system, 2 business
  scope_type integer not null,
  remark varchar(255)
);

call own_by_platform('api_scope');

create index api_scope_by_menu on api_scope (menu_id) where is_deleted = 0;

create table role_scope (
  tenant_id varchar(12) not null,
  role_id bigint not null references role (id) on delete cascade,
  -- 1 data_scope, 2 api_scope
  scope_category integer not null,
  scope_id bigint not null,
  primary key (tenant_id, role_id, scope_category, scope_id)
);

call own_by_tenant('role_scope');
