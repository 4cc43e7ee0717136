-- Sessions as people see them: a number for the wire, the device in words, when one was last used; and every attempt to begin one.

alter table session
  add column row_id bigint not null default next_id(),
  add column device varchar(128) not null default '',
  add column last_used_at timestamptz(0) not null default date_trunc('second', now()),
  -- The transaction that made the current token. Whoever cannot see it yet asked before it had committed.
  add column rotated_by xid8;

create unique index session_by_row on session (row_id);
create index session_by_use on session (tenant_id, last_used_at) where revoked_at is null;

-- Sessions that have not ended, with the columns every entity has; row level security is that of whoever asks.
create view online_user with (security_invoker = true) as
  select
    s.row_id as id, s.tenant_id, u.account, u.real_name, s.user_id, s.device, s.address, s.client_id, s.last_used_at,
    s.last_used_at > now() - interval '10 minutes' as is_online,
    s.user_id as create_user, null::bigint as create_dept, date_trunc('second', s.create_time)::timestamptz(0) as create_time,
    null::bigint as update_user, null::timestamptz(0) as update_time, 1 as status, 0::smallint as is_deleted
  from session s
  join user_account u on u.id = s.user_id
  where s.revoked_at is null and s.expires_at > now();

grant select on online_user to marquee_tenant;

create table login_log (
  like base_row including all,
  account varchar(64) not null,
  outcome varchar(32) not null,
  way varchar(32) not null,
  address varchar(64) not null,
  device varchar(128) not null,
  user_agent varchar(512),
  client_id varchar(64) not null,
  user_id bigint
);

call own_by_tenant('login_log');

create index login_log_by_time on login_log (create_time);
create index login_log_by_account on login_log (tenant_id, account, create_time);
