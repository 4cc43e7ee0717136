-- What an English reader sees; null: nobody has said, '': the Chinese name is meant for everyone.
alter table menu add column name_en varchar(64);

-- Strips of the top bar, each with the pages that belong to it. The platform's, like the menu itself.
create table top_menu (
  like base_row including all,
  code varchar(64) not null,
  name varchar(64) not null,
  name_en varchar(64),
  source varchar(128) not null default '',
  path varchar(512) not null default '',
  sort integer not null default 1
);

call own_by_platform('top_menu');

create unique index top_menu_once on top_menu (code) where is_deleted = 0;

create table top_menu_menu (
  top_menu_id bigint not null references top_menu (id) on delete cascade,
  menu_id bigint not null references menu (id) on delete cascade,
  primary key (top_menu_id, menu_id)
);

call own_by_platform('top_menu_menu');

create index top_menu_menu_by_menu on top_menu_menu (menu_id);
