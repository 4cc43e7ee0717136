-- Keys are sealed.
create table sms (
  like base_row including all,
  sms_code varchar(64) not null,
  category varchar(64) not null,
  access_key text not null,
  secret_key text,
  app_id varchar(64),
  region_id varchar(64),
  sign_name varchar(64) not null,
  template_id varchar(128) not null,
  template_params jsonb,
  remark varchar(255)
);

call own_by_tenant('sms');
call sort_by('sms', 'sms_code');
create unique index sms_once on sms (tenant_id, sms_code) where is_deleted = 0;
create unique index sms_enabled_once on sms (tenant_id) where is_deleted = 0 and status = 2;

create table sms_delivery (
  like base_row including all,
  phone varchar(32) not null,
  sms_code varchar(64) not null,
  category varchar(64) not null,
  purpose text not null,
  outcome integer not null,
  receipt varchar(128),
  reason varchar(255)
);

call own_by_tenant('sms_delivery');
create index sms_delivery_to on sms_delivery (tenant_id, phone, create_time);
