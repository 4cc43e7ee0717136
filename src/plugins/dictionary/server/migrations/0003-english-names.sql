-- Names in English, which consoles in English show.
alter table dict add column dict_value_en varchar(255);
alter table dict_biz add column dict_value_en varchar(255);
