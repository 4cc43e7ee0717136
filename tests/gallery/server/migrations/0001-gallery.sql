create table exhibit (
  like base_row including all,
  name varchar(64) not null,
  kind integer not null default 1,
  pieces integer not null default 1,
  opens_at timestamptz,
  story text
);
call own_by_tenant('exhibit');
call sort_by('exhibit', 'name');
call sort_by('exhibit', 'pieces');

create table place (
  like base_row including all,
  parent_id bigint not null default 0,
  name varchar(64) not null,
  sort integer not null default 0
);
call own_by_tenant('place');
call sort_by('place', 'sort');
create index place_below on place (parent_id, sort, id) where is_deleted = 0;
