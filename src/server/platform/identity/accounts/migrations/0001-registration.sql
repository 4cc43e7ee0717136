-- Who has asked for an account, and what became of it. Until it is decided the account has the status 3 and no roles.
create table registration (
  like base_row including all,
  account varchar(64) not null,
  name varchar(64) not null,
  source varchar(32) not null,
  phone varchar(32),
  email varchar(128),
  decision integer not null default 0,
  -- What whoever approved the account gave it.
  role_ids jsonb,
  dept_ids jsonb,
  reason varchar(255),
  decided_at timestamptz(0),
  user_id bigint not null
);

call own_by_tenant('registration');

create index registration_by_user on registration (tenant_id, user_id);
