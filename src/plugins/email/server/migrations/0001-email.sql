-- The password is encrypted.
create table email_server (
  like base_row including all,
  is_enabled boolean not null,
  host varchar(255) not null,
  security integer not null,
  port integer not null,
  username varchar(255),
  password text,
  ca_certificate text,
  sender_name varchar(64) not null,
  sender_address varchar(128) not null,
  reply_to varchar(128),
  console_url varchar(1000) not null,
  language text not null,
  per_minute integer not null
);

call own_by_tenant('email_server');
create unique index email_server_once on email_server (tenant_id) where is_deleted = 0;

-- The queue, and the log once an e-mail is sent or given up. The content is encrypted and is deleted with the delivery. While an e-mail is being sent, due_at is the end of the lease.
create table email_message (
  like base_row including all,
  user_id bigint,
  recipient varchar(64) not null,
  address varchar(128) not null,
  kind varchar(64) not null,
  subject varchar(255) not null,
  content text,
  state integer not null default 0,
  failure text,
  answer varchar(500),
  attempts integer not null default 0,
  attempted_at timestamptz(3),
  due_at timestamptz(0),
  sent_at timestamptz(0),
  once_key varchar(128)
);

call own_by_tenant('email_message');
create unique index email_message_once on email_message (tenant_id, kind, user_id, once_key) where once_key is not null;
create index email_message_due on email_message (due_at) where state in (0, 1);
create index email_message_lately on email_message (tenant_id, attempted_at);
create index email_message_by_age on email_message (create_time);

create table email_view (
  like base_row including all,
  user_id bigint references user_account (id) on delete cascade,
  list varchar(160) not null,
  view varchar(40) not null,
  weekday integer not null,
  hour integer not null,
  next_at timestamptz(0),
  lease_until timestamptz(0)
);

call own_by_tenant('email_view');
create unique index email_view_once on email_view (tenant_id, user_id, list, view);
create index email_view_due on email_view (next_at);

-- Days whose reminders of pending work were queued, or are being queued until the lease ends.
create table email_digest (
  tenant_id varchar(12) not null,
  day date not null,
  lease_until timestamptz(0),
  primary key (tenant_id, day)
);

call own_by_tenant('email_digest');
