alter table dict_biz drop constraint dict_biz_pkey, add constraint dict_biz_pkey primary key using index dict_biz_by_id;
