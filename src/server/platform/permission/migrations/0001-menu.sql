-- The menu is the platform's; what of it a role may use belongs to the role's tenant.

create table menu (
  like base_row including all,
  parent_id bigint not null default 0,
  code varchar(64) not null,
  name varchar(64) not null,
  alias varchar(64) not null default 'menu',
  path varchar(512) not null,
  source varchar(128) not null default '',
  component varchar(255),
  sort integer not null default 1,
  -- 1 menu, 2 button
  category integer not null default 1,
  -- 0 none, 1 toolbar, 2 row, 3 both
  action integer not null default 0,
  -- 1 no, 2 opens a new window
  is_open integer not null default 1,
  remark varchar(255)
);

call own_by_platform('menu');

create index menu_by_parent on menu (parent_id, sort) where is_deleted = 0;

-- What has been seeded once is never seeded again: an administrator's later edits and deletions stay.
create table seeded_menu (
  code varchar(64) primary key,
  plugin_id varchar(64) not null,
  menu_id bigint not null
);

create index seeded_menu_by_menu on seeded_menu (menu_id);

call own_by_platform('seeded_menu');

create table role_menu (
  tenant_id varchar(12) not null,
  role_id bigint not null references role (id) on delete cascade,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (tenant_id, role_id, menu_id)
);

call own_by_tenant('role_menu');

create index role_menu_by_menu on role_menu (tenant_id, menu_id);
