-- Passkeys of accounts. A reference to the account would have another form before and after the keys of accounts got their tenant; accounts are never deleted from their table.
create table passkey (
  id bigint not null default next_id(),
  tenant_id varchar(12) not null,
  user_id bigint not null,
  -- Random for each account, so that an authenticator learns nothing about it.
  user_handle varchar(64) not null,
  credential_id varchar(1400) not null,
  public_key text not null,
  -- Signatures that the authenticator has counted; 0 where it counts none.
  counter bigint not null default 0,
  transports varchar(255) not null default '',
  -- Domain to which the authenticator has bound the passkey.
  rp_id varchar(255) not null,
  name varchar(64) not null,
  create_time timestamptz(0) not null default now(),
  last_used_at timestamptz(0),
  primary key (id, tenant_id)
);

call own_by_tenant('passkey');

create unique index passkey_once on passkey (credential_id, tenant_id);
create index passkey_by_user on passkey (user_id, tenant_id);

-- Challenges that wait for the signature of an authenticator.
create table passkey_challenge (
  -- sha256 in hex of the token that the attempt presents.
  token_hash char(64) primary key,
  purpose varchar(16) not null,
  -- Session or sign-in step to which it is bound; '' for a sign-in by a passkey alone.
  subject varchar(64) not null,
  challenge varchar(128) not null,
  -- Handle of the account that registers a passkey.
  user_handle varchar(64) not null default '',
  rp_id varchar(255) not null,
  origin varchar(255) not null,
  expires_at timestamptz not null
);

create index passkey_challenge_by_end on passkey_challenge (expires_at);

-- Few rows: one for each program that signs users in. Those that sign in with password and captcha may use passkeys instead.
update client set authorized_grant_types = authorized_grant_types || '["passkey"]'
where is_public and authorized_grant_types @> '["captcha"]' and not authorized_grant_types @> '["passkey"]';
