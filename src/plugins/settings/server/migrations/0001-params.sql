create table param (
  like base_row including all,
  param_name varchar(64) not null,
  param_key varchar(64) not null,
  param_value varchar(20000) not null,
  remark varchar(255)
);

call own_by_platform('param');

create unique index param_key_once on param (param_key) where is_deleted = 0;

call sort_by('param', 'param_name');
call sort_by('param', 'param_key');
