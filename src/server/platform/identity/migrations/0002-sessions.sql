-- Sessions are families of refresh tokens: `generation` is the one token that may be used next.

create table session (
  id uuid primary key,
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  client_id varchar(64) not null,
  generation integer not null default 1,
  rotated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  reason varchar(32),
  user_agent varchar(255) not null default '',
  address varchar(64) not null default '',
  create_time timestamptz not null default now()
);

call own_by_tenant('session');

create index session_by_user on session (tenant_id, user_id) where revoked_at is null;
create index session_by_end on session (expires_at);

create table captcha (
  key uuid primary key,
  answer varchar(16) not null,
  expires_at timestamptz not null
);

create index captcha_by_end on captcha (expires_at);

create table login_failure (
  -- `account` (tenant and account) or `address`.
  kind varchar(8) not null,
  subject varchar(160) not null,
  failures integer not null,
  expires_at timestamptz not null,
  primary key (kind, subject)
);

create index login_failure_by_end on login_failure (expires_at);

create table idempotent_reply (
  tenant_id varchar(12) not null,
  user_id bigint not null,
  key varchar(128) not null,
  fingerprint char(64) not null,
  reply text,
  create_time timestamptz not null default now(),
  primary key (tenant_id, user_id, key)
);

call own_by_tenant('idempotent_reply');

create index idempotent_reply_by_time on idempotent_reply (create_time);

create table seeded_plugin (
  plugin_id varchar(64) primary key,
  create_time timestamptz not null default now()
);
