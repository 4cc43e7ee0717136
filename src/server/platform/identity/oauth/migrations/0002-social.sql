-- What a tenant is at each provider. The secret is sealed.
create table social_app (
  like base_row including all,
  source text not null,
  client_id varchar(255) not null,
  client_secret text not null,
  is_enabled integer not null default 1
);

call own_by_tenant('social_app');

create unique index social_app_once on social_app (tenant_id, source) where is_deleted = 0;

-- Identities elsewhere; `user_id` is null until one is somebody's here.
create table user_oauth (
  like base_row including all,
  source varchar(32) not null,
  uuid varchar(255) not null,
  union_id varchar(255),
  name varchar(64) not null default '',
  avatar varchar(1024) not null default '',
  email varchar(128) not null default '',
  user_id bigint references user_account (id) on delete set null
);

call own_by_tenant('user_oauth');

create unique index user_oauth_once on user_oauth (tenant_id, source, uuid) where is_deleted = 0;
create unique index user_oauth_of_user on user_oauth (tenant_id, user_id, source) where is_deleted = 0 and user_id is not null;
