-- Keys are sealed.
create table pay_channel (
  like base_row including all,
  name varchar(64) not null,
  mch_id varchar(32) not null,
  app_id varchar(32) not null,
  serial_no varchar(64) not null,
  private_key text not null,
  api_v3_key text not null,
  public_key_id varchar(64) not null,
  public_key text not null,
  notify_url varchar(1000),
  scene_id varchar(16) not null,
  job_title varchar(32) not null,
  reward_note varchar(32) not null,
  remark varchar(255)
);

call own_by_tenant('pay_channel');
create unique index pay_channel_enabled_once on pay_channel (tenant_id) where is_deleted = 0 and status = 2;
create index pay_channel_by_key on pay_channel (public_key_id) where is_deleted = 0;
create index payout_of_gateway on payout (tenant_id, gateway) where state in (0, 1);
