-- Identity providers of tenants. Secrets are encrypted. unreachable_since is the time since which a provider has not answered.
create table identity_provider (
  like tenant_row including all,
  name varchar(32) not null,
  kind text not null,
  is_enabled boolean not null,
  issuer varchar(1000),
  client_id varchar(255),
  client_secret text,
  scopes varchar(255),
  groups_claim varchar(64),
  address varchar(255),
  start_tls boolean not null,
  ca_certificate text,
  bind_dn varchar(500),
  bind_password text,
  base_dn varchar(500),
  user_filter varchar(500),
  group_attribute varchar(64),
  group_base_dn varchar(500),
  group_filter varchar(500),
  id_attribute varchar(64),
  account_attribute varchar(64),
  name_attribute varchar(64),
  email_attribute varchar(64),
  matches_email boolean not null,
  creates_accounts boolean not null,
  unreachable_since timestamptz(0)
);

call own_by_tenant('identity_provider');
create unique index identity_provider_once on identity_provider (tenant_id, name) where is_deleted = 0;

-- Roles that members of groups have.
create table identity_provider_group (
  like tenant_row including all,
  provider_id bigint not null,
  group_name varchar(500) not null,
  role_id bigint not null,
  foreign key (provider_id, tenant_id) references identity_provider (id, tenant_id) on delete cascade
);

call own_by_tenant('identity_provider_group');
create unique index identity_provider_group_once on identity_provider_group (tenant_id, provider_id, group_name, role_id) where is_deleted = 0;
create index identity_provider_group_by_role on identity_provider_group (role_id);

-- Roles that a provider has given; a role without such a row was given by hand. A row goes with the role that it marks.
create table provided_role (
  tenant_id varchar(12) not null,
  user_id bigint not null,
  role_id bigint not null,
  provider_id bigint not null,
  primary key (tenant_id, user_id, role_id, provider_id),
  foreign key (tenant_id, user_id, role_id) references user_role (tenant_id, user_id, role_id) on delete cascade
);

call own_by_tenant('provided_role');
create index provided_role_by_provider on provided_role (provider_id, user_id);

-- Sign-ins with a provider, which sessions refer to by sign_in_id. The refresh token of the issuer is encrypted.
create table provider_sign_in (
  id bigint not null default next_id(),
  tenant_id varchar(12) not null,
  provider_id bigint not null,
  identity_id bigint not null,
  -- Session at the issuer, which its logout tokens name.
  issuer_session varchar(255),
  refresh_token text,
  -- True if a group of the user had a role at the sign-in.
  had_group boolean not null,
  due_at timestamptz not null,
  create_time timestamptz(0) not null default now(),
  primary key (id, tenant_id)
);

call own_by_tenant('provider_sign_in');
create index provider_sign_in_due on provider_sign_in (due_at);
create index provider_sign_in_of_identity on provider_sign_in (identity_id);
