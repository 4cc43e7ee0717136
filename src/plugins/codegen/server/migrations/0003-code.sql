create table code (
  like base_row including all,
  code_name varchar(64) not null,
  english_name varchar(64) not null,
  model_id bigint not null,
  service_name varchar(40) not null,
  table_name varchar(50) not null,
  template_type text not null,
  tree_pid varchar(50),
  sub_model_id bigint,
  sub_fk_id varchar(50),
  menu_group text not null,
  api_path varchar(100) not null,
  web_path varchar(100) not null
);

call own_by_platform('code');

create unique index code_service_once on code (service_name) where is_deleted = 0;
create unique index code_table_once on code (table_name) where is_deleted = 0;

call sort_by('code', 'code_name');
call sort_by('code', 'service_name');

-- What was written last: the base of the next merge with what somebody has made of it.
create table code_output (
  code_id bigint not null,
  path varchar(255) not null,
  content text not null,
  primary key (code_id, path)
);

call secure_rows('code_output');
create policy platform_only on code_output to marquee_tenant
  using (current_setting('app.tenant', true) = '000000') with check (current_setting('app.tenant', true) = '000000');
grant select, insert, update, delete on code_output to marquee_tenant;
