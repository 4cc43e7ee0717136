-- One-time codes. `user_id` is null where the phone is nobody's; such a code is never sent and never right.
create table sms_code (
  id uuid primary key,
  tenant_id varchar(12) not null,
  phone varchar(32) not null,
  user_id bigint,
  code_hash char(64) not null,
  attempts integer not null default 0,
  expires_at timestamptz not null
);

create index sms_code_by_end on sms_code (expires_at);

-- What would have been sent, where no channel is set up.
create table sms_outbox (
  like base_row including all,
  phone varchar(32) not null,
  content varchar(500) not null
);

call own_by_tenant('sms_outbox');
