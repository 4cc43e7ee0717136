-- A locked session: without a hash of its own it is unlocked with the account's password.

alter table session
  add column locked_at timestamptz,
  add column lock_hash varchar(255),
  add column lock_failures integer not null default 0,
  add column lock_retry_at timestamptz;
