-- Who may sign in. Accounts, roles and departments belong to a tenant; tenants and clients to the platform.

create table tenant (
  like base_row including all,
  tenant_id varchar(12) not null,
  tenant_name varchar(64) not null,
  expire_time timestamptz
);

call own_by_platform('tenant');

create unique index tenant_once on tenant (tenant_id) where is_deleted = 0;

create table client (
  like base_row including all,
  client_id varchar(64) not null,
  -- sha256 in hex; empty for a client that has none.
  secret_hash varchar(64) not null default '',
  -- A public client keeps no secret: a browser. It may only use grants that ask for a captcha or a token of ours.
  is_public boolean not null default false,
  grants varchar(255) not null,
  access_token_validity integer not null default 3600,
  refresh_token_validity integer not null default 604800,
  additional_information varchar(4096)
);

call own_by_platform('client');

create unique index client_once on client (client_id) where is_deleted = 0;

create table dept (
  like base_row including all,
  parent_id bigint not null default 0,
  ancestors varchar(2000) not null default '0',
  dept_name varchar(64) not null,
  full_name varchar(128) not null,
  dept_category integer,
  sort integer not null default 1,
  remark varchar(255)
);

call own_by_tenant('dept');

create index dept_by_parent on dept (tenant_id, parent_id, sort) where is_deleted = 0;

create table role (
  like base_row including all,
  parent_id bigint not null default 0,
  role_name varchar(64) not null,
  role_alias varchar(64) not null,
  sort integer not null default 1
);

call own_by_tenant('role');

create index role_by_parent on role (tenant_id, parent_id, sort) where is_deleted = 0;

create table user_account (
  like base_row including all,
  code varchar(64),
  user_type integer not null default 1,
  account varchar(64) not null,
  -- argon2id of the md5 hex of the password: whatever form the wire carries, the same hash answers.
  password_hash varchar(255) not null,
  password_expired boolean not null default false,
  name varchar(64) not null,
  real_name varchar(64) not null,
  avatar varchar(1024),
  email varchar(128),
  phone varchar(32),
  birthday date,
  sex integer
);

call own_by_tenant('user_account');

create unique index user_account_once on user_account (tenant_id, lower(account)) where is_deleted = 0;

create table user_role (
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  role_id bigint not null references role (id) on delete cascade,
  primary key (tenant_id, user_id, role_id)
);

call own_by_tenant('user_role');

create index user_role_by_role on user_role (tenant_id, role_id);

create table user_dept (
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  dept_id bigint not null references dept (id) on delete cascade,
  -- The first one is the department whose name new rows bear.
  sort integer not null default 1,
  primary key (tenant_id, user_id, dept_id)
);

call own_by_tenant('user_dept');

create index user_dept_by_dept on user_dept (tenant_id, dept_id);

create table user_post (
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  post_id bigint not null,
  primary key (tenant_id, user_id, post_id)
);

call own_by_tenant('user_post');

create index user_post_by_post on user_post (tenant_id, post_id);
