-- Addresses a program may be sent back to with a code, separated by commas; a trusted one is not asked about.
alter table client
  add column web_server_redirect_uri varchar(2000) not null default '',
  add column autoapprove boolean not null default false;

create table authorization_code (
  code_hash char(64) primary key,
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  client_id varchar(64) not null,
  redirect_uri varchar(1024) not null,
  challenge varchar(128),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The session it began: a code that comes a second time ends it.
  sid uuid
);

create index authorization_code_by_end on authorization_code (expires_at);
