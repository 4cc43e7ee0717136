-- Notices that were taken, for as long as their signature is fresh: one that comes again is refused.
create table payment_notice (
  tenant_id varchar(12) not null,
  gateway varchar(32) not null,
  nonce text not null,
  time timestamptz not null default now(),
  primary key (gateway, nonce)
);

call own_by_tenant('payment_notice');
create index payment_notice_by_time on payment_notice (tenant_id, time);
