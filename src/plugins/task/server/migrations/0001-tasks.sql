create table task (
  like base_row including all,
  title varchar(128) not null,
  platform_id bigint not null,
  category_id bigint not null,
  grade_id bigint not null,
  city_ids jsonb,
  cover varchar(1000),
  unit_price integer not null,
  quantity integer not null,
  per_user_limit integer not null default 1,
  start_time timestamptz(0),
  end_time timestamptz(0),
  claimed integer not null default 0,
  advertiser_id bigint not null,
  advertiser_name varchar(128),
  requirement text not null,
  steps text,
  content text,
  resource_ids jsonb,
  budget bigint not null generated always as (unit_price::bigint * quantity) stored,
  submitted integer not null default 0,
  passed integer not null default 0,
  depart_id bigint generated always as (create_dept) stored,
  company_id bigint generated always as (create_dept) stored,
  remark varchar(255),
  draft integer not null default 0,
  check (claimed between 0 and quantity and submitted between 0 and claimed and passed between 0 and submitted)
);

alter table task alter status set default 0;

call own_by_tenant('task');
call sort_by('task', 'unit_price');
call sort_by('task', 'end_time');
call sort_by('task', 'status');
create index task_to_end on task (end_time) where status = 2 and is_deleted = 0;

-- What follows from what was entered: a task that is no draft waits for publication, and bears its advertiser's name.
create function keep_task() returns trigger language plpgsql as $$
begin
  if new.status = 0 and new.draft = 0 then
    new.status := 1;
  end if;
  select name into new.advertiser_name from advertiser where id = new.advertiser_id;
  return new;
end $$;

create trigger keep_task before insert or update of draft, advertiser_id on task for each row execute function keep_task();

-- What became of each task, and by whom.
create table task_step (
  id bigint primary key default next_id(),
  tenant_id varchar(12) not null,
  task_id bigint not null,
  kind varchar(16) not null,
  user_id bigint,
  time timestamptz(0) not null default date_trunc('second', now())
);

call own_by_tenant('task_step');
create index task_step_of_task on task_step (tenant_id, task_id, id);

create table task_submission (
  like base_row including all,
  task_id bigint not null references task (id),
  task_title varchar(128) not null,
  user_id bigint not null,
  nick_name varchar(64) not null,
  phone varchar(32),
  openid varchar(255),
  platform_account varchar(128),
  link varchar(1000),
  images jsonb,
  content text,
  deadline timestamptz(0) not null,
  submit_time timestamptz(0),
  audit_status integer not null default 3,
  audit_user bigint,
  auditor_name varchar(64),
  audit_time timestamptz(0),
  reason varchar(255),
  amount bigint not null,
  pay_status integer not null default 0,
  pay_no varchar(64),
  pay_time timestamptz(0),
  pay_error varchar(255)
);

call own_by_tenant('task_submission');
call sort_by('task_submission', 'submit_time');
call sort_by('task_submission', 'audit_time');
-- The queue, and what is narrowed to one state.
create index task_submission_queue on task_submission (tenant_id, audit_status, submit_time, id) where is_deleted = 0;
create index task_submission_of_task on task_submission (tenant_id, task_id, user_id) where is_deleted = 0;
create index task_submission_of_user on task_submission (tenant_id, user_id, create_time, id) where is_deleted = 0;
create index task_submission_due on task_submission (deadline) where audit_status = 3 and is_deleted = 0;
create unique index task_submission_bill on task_submission (pay_no) where pay_no is not null;

-- Who has which proof before them, and until when it is theirs.
create table task_audit_lease (
  submission_id bigint primary key references task_submission (id) on delete cascade,
  tenant_id varchar(12) not null,
  user_id bigint not null,
  until timestamptz not null
);

call own_by_tenant('task_audit_lease');
create index task_audit_lease_of_user on task_audit_lease (tenant_id, user_id);

-- What proof can be told again by: digests of its pictures and of where its link leads.
create table task_proof_mark (
  tenant_id varchar(12) not null,
  mark varchar(64) not null,
  kind varchar(8) not null,
  submission_id bigint not null references task_submission (id) on delete cascade,
  primary key (tenant_id, mark, submission_id)
);

call own_by_tenant('task_proof_mark');
create index task_proof_mark_of_submission on task_proof_mark (submission_id);
