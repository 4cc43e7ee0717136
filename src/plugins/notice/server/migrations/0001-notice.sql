create table notice (
  like base_row including all,
  title varchar(200) not null,
  category varchar(64) not null,
  release_time timestamptz(0) not null,
  audience text not null,
  released_at timestamptz(0),
  departments jsonb,
  roles jsonb,
  content text not null
);

call own_by_tenant('notice');

call sort_by('notice', 'title');
call sort_by('notice', 'release_time');

-- What is to be released, whosever it is.
create index notice_due on notice (release_time) where released_at is null and is_deleted = 0;

-- Who has read what, and when first.
create table notice_read (
  tenant_id varchar(12) not null,
  notice_id bigint not null references notice (id) on delete cascade,
  user_id bigint not null references user_account (id) on delete cascade,
  read_time timestamptz(0) not null default date_trunc('second', now()),
  primary key (tenant_id, notice_id, user_id)
);

call own_by_tenant('notice_read');
