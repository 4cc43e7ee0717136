create table banner (
  like base_row including all,
  image varchar(1000) not null,
  title varchar(64) not null,
  position text not null default 'home',
  link_type integer not null default 0,
  link varchar(1000),
  start_at timestamptz(0),
  end_at timestamptz(0),
  sort integer not null default 1,
  created_at timestamptz(0) not null generated always as (create_time) stored,
  updated_at timestamptz(0) generated always as (update_time) stored,
  check (end_at > start_at)
);

call own_by_tenant('banner');
call sort_by('banner', 'sort');
create index banner_placed on banner (tenant_id, position, sort, id) where is_deleted = 0;

create table miniapp_setting (
  like base_row including all,
  app_name varchar(32) not null,
  logo varchar(1000),
  notice varchar(200),
  service_phone varchar(11),
  service_wechat varchar(64),
  claim_limit integer not null default 0,
  submit_hours integer not null default 24,
  audit_hours integer not null default 72,
  min_withdraw bigint not null default 100,
  withdraw_rate integer not null default 0,
  daily_withdraw_limit integer not null default 1,
  auto_pay integer not null default 0,
  agreement text,
  privacy text,
  about text,
  updated_at timestamptz(0) generated always as (update_time) stored
);

call own_by_tenant('miniapp_setting');
create unique index miniapp_setting_once on miniapp_setting (tenant_id) where is_deleted = 0;
