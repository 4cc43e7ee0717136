-- The colour lists show an entry in.
alter table dict add column tone text;

-- The same for each tenant's own.
create table dict_biz (
  like base_row including all,
  parent_id bigint not null default 0,
  code varchar(64) not null,
  dict_key varchar(64) not null default '-1',
  dict_value varchar(255) not null,
  tone text,
  sort integer not null,
  is_sealed integer not null default 0,
  remark varchar(255)
);

call own_by_tenant('dict_biz');

create unique index dict_biz_key_once on dict_biz (tenant_id, code, dict_key) where is_deleted = 0;
create index dict_biz_below on dict_biz (tenant_id, parent_id, sort, id) where is_deleted = 0;

call sort_by('dict_biz', 'code');
call sort_by('dict_biz', 'dict_value');
call sort_by('dict_biz', 'sort');
