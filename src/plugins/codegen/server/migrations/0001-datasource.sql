create table datasource (
  like base_row including all,
  name varchar(64) not null,
  driver_class text not null,
  host varchar(255),
  port integer,
  database_name varchar(64),
  schema_name varchar(63),
  username varchar(64),
  password text,
  use_tls boolean not null default false,
  remark varchar(255)
);

call own_by_platform('datasource');

create unique index datasource_name_once on datasource (name) where is_deleted = 0;

call sort_by('datasource', 'name');
