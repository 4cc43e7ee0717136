alter table oss drop constraint oss_pkey, add constraint oss_pkey primary key using index oss_by_id;
