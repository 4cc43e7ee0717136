-- Names of roles in English, which consoles in English show.
alter table role add column role_name_en varchar(64);

-- The roles of the first accounts, unless they were renamed.
update role set role_name_en = 'Administrator' where role_alias = 'administrator' and role_name = '超级管理员';
update role set role_name_en = 'Tenant administrator' where role_alias = 'admin' and role_name = '管理员';
