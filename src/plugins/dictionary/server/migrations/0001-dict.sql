create table dict (
  like base_row including all,
  parent_id bigint not null default 0,
  code varchar(64) not null,
  dict_key varchar(64) not null default '-1',
  dict_value varchar(255) not null,
  sort integer not null,
  is_sealed integer not null default 0,
  remark varchar(255)
);

call own_by_platform('dict');

create unique index dict_key_once on dict (code, dict_key) where is_deleted = 0;
create index dict_below on dict (parent_id, sort, id) where is_deleted = 0;

call sort_by('dict', 'code');
call sort_by('dict', 'dict_value');
call sort_by('dict', 'sort');
