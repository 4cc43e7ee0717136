alter table miniapp_setting drop constraint miniapp_setting_pkey, add constraint miniapp_setting_pkey primary key using index miniapp_setting_by_id;
alter table banner drop constraint banner_pkey, add constraint banner_pkey primary key using index banner_by_id;
