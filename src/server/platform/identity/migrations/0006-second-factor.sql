-- A second factor at sign-in: the codes of an authenticator app, and recovery codes.

create table second_factor (
  tenant_id varchar(12) not null,
  user_id bigint primary key references user_account (id) on delete cascade,
  -- Sealed with the deployment's key.
  secret text not null,
  -- Null until the first code was given: nothing is asked before.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: it and those before it are used up.
  last_step bigint not null default 0,
  create_time timestamptz not null default now()
);

call own_by_tenant('second_factor');

create table recovery_code (
  tenant_id varchar(12) not null,
  user_id bigint not null references second_factor (user_id) on delete cascade,
  -- sha256 in hex: the codes are long and random.
  code_hash char(64) not null,
  primary key (user_id, code_hash)
);

call own_by_tenant('recovery_code');

-- A right password that waits for its second factor.
create table sign_in_step (
  -- sha256 in hex of the token that goes on with it.
  token_hash char(64) primary key,
  tenant_id varchar(12) not null,
  user_id bigint not null references user_account (id) on delete cascade,
  client_id varchar(64) not null,
  attempts integer not null default 0,
  expires_at timestamptz not null
);

call own_by_tenant('sign_in_step');

create index sign_in_step_by_end on sign_in_step (expires_at);
