create table param (
  like base_row including all,
  param_name varchar(64) not null,
  param_key varchar(64) not null,
  param_value varchar(20000) not null,
  remark varchar(255)
);

call own_by_platform('param');

create unique index param_key_once on param (param_key) where is_deleted = 0;
create index param_by_name on param (param_name, id) where is_deleted = 0;
create index param_by_key on param (param_key, id) where is_deleted = 0;
create index param_by_time on param (create_time, id) where is_deleted = 0;
