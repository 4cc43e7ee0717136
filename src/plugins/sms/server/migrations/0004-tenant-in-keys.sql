alter table sms drop constraint sms_pkey, add constraint sms_pkey primary key using index sms_by_id;
alter table sms_delivery drop constraint sms_delivery_pkey, add constraint sms_delivery_pkey primary key using index sms_delivery_by_id;
alter table sms_template drop constraint sms_template_pkey, add constraint sms_template_pkey primary key using index sms_template_by_id;
alter table sms_validation drop constraint sms_validation_pkey, add constraint sms_validation_pkey primary key using index sms_validation_by_id;
