create table sms_template (
  like base_row including all,
  template_code varchar(64) not null,
  sms_id bigint not null,
  template_id varchar(128) not null,
  sign_name varchar(64),
  template_params jsonb,
  content varchar(500),
  remark varchar(255)
);

call own_by_tenant('sms_template');
call sort_by('sms_template', 'template_code');
create unique index sms_template_once on sms_template (tenant_id, template_code) where is_deleted = 0;
create index sms_template_through on sms_template (sms_id) where is_deleted = 0;

-- Codes that prove whose phone it is; sealed.
create table sms_validation (
  like base_row including all,
  phone varchar(11) not null,
  value text not null,
  tries integer not null,
  good_until timestamptz(0) not null
);

call own_by_tenant('sms_validation');
create index sms_validation_by_asker on sms_validation (tenant_id, create_user, create_time);

-- What is old is deleted by its age.
create index sms_delivery_by_age on sms_delivery (create_time);
create index sms_validation_by_age on sms_validation (create_time);
