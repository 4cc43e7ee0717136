create table post (
  like base_row including all,
  category varchar(64) not null,
  post_code varchar(64) not null,
  post_name varchar(64) not null,
  sort integer not null,
  remark varchar(255)
);

call own_by_tenant('post');

call sort_by('post', 'post_code');
call sort_by('post', 'sort');

create unique index post_once on post (tenant_id, post_code) where is_deleted = 0;
