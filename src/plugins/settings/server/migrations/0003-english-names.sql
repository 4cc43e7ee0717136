-- Names in English, which consoles in English show.
alter table param add column param_name_en varchar(128);
