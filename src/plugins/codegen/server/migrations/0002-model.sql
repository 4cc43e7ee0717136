create table model (
  like base_row including all,
  model_name varchar(64) not null,
  datasource_id bigint not null,
  model_table varchar(64) not null,
  model_class varchar(64) not null,
  model_code varchar(64) not null,
  model_remark varchar(255)
);

call own_by_platform('model');

create unique index model_code_once on model (model_code) where is_deleted = 0;
create index model_of_datasource on model (datasource_id, model_table) where is_deleted = 0;

call sort_by('model', 'model_name');
call sort_by('model', 'model_code');

create table model_prototype (
  like base_row including all,
  model_id bigint not null,
  sort integer not null,
  jdbc_name varchar(64) not null,
  jdbc_type varchar(64) not null,
  jdbc_length integer,
  jdbc_scale integer,
  jdbc_comment varchar(64) not null,
  english_name varchar(64) not null,
  property_name varchar(50) not null,
  property_type text not null,
  property_entity varchar(64),
  is_key integer not null default 0,
  is_unique integer not null default 0,
  is_list integer not null default 0,
  is_form integer not null default 0,
  is_row integer not null default 0,
  is_required integer not null default 0,
  is_query integer not null default 0,
  component_type text not null,
  dict_code varchar(64),
  query_type text,
  options jsonb,
  reference_table varchar(64)
);

call own_by_platform('model_prototype');

create index model_prototype_of_model on model_prototype (model_id, sort) where is_deleted = 0;
