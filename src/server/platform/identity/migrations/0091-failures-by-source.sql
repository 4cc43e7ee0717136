-- Failures of an account are counted for each address (`pair`) and known device (`device`) they come from, and for all strangers together (`account`).
alter table login_failure
  add column source varchar(64) not null default '',
  add column failed_at timestamptz not null default now(),
  drop constraint login_failure_pkey,
  add primary key (kind, subject, source);
