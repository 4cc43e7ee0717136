create table loyalty_award (
  like tenant_row including all,
  submission_id bigint not null,
  member_id bigint not null,
  member_name varchar(64) not null,
  task_id bigint not null,
  task_title varchar(128) not null,
  points integer not null check (points > 0),
  foreign key (submission_id, tenant_id) references task_submission (id, tenant_id)
);

call own_by_tenant('loyalty_award');
call sort_by('loyalty_award', 'points');
create unique index loyalty_award_once on loyalty_award (submission_id, tenant_id);
create index loyalty_award_of_month on loyalty_award (tenant_id, create_time) where is_deleted = 0;
