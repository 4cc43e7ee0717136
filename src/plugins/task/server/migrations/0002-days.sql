-- What was handed in and decided on each day, by task and auditor ('0' for what was handed in): kept with every change of a submission, so that nobody has to count.
create table task_day (
  tenant_id varchar(12) not null,
  day date not null,
  task_id bigint not null,
  auditor_id bigint not null,
  submitted integer not null,
  approved integer not null,
  rejected integer not null,
  primary key (tenant_id, day, task_id, auditor_id)
);

call own_by_tenant('task_day');

-- Days are taken up in one order by everybody: two who change many submissions at once never wait for each other.
create function add_up_task_days(moved text) returns text language sql immutable as $$
  select format('
    insert into task_day as kept (tenant_id, day, task_id, auditor_id, submitted, approved, rejected)
    select tenant_id, day, task_id, auditor_id, sum(submitted), sum(approved), sum(rejected) from (
      select tenant_id, submit_time::date as day, task_id, 0 as auditor_id, sign as submitted, 0 as approved, 0 as rejected
      from (%1$s) handed_in where submit_time is not null and is_deleted = 0
      union all
      select tenant_id, audit_time::date, task_id, audit_user, 0, case audit_status when 1 then sign else 0 end, case audit_status when 2 then sign else 0 end
      from (%1$s) decided where audit_status in (1, 2) and audit_time is not null and audit_user is not null and is_deleted = 0
    ) parts group by tenant_id, day, task_id, auditor_id having sum(submitted) <> 0 or sum(approved) <> 0 or sum(rejected) <> 0
    order by tenant_id, day, task_id, auditor_id
    on conflict (tenant_id, day, task_id, auditor_id) do update
    set submitted = kept.submitted + excluded.submitted, approved = kept.approved + excluded.approved, rejected = kept.rejected + excluded.rejected', moved)
$$;

create function keep_task_days() returns trigger language plpgsql as $$
begin
  execute add_up_task_days(case tg_op
    when 'INSERT' then 'select 1 as sign, * from changed'
    when 'DELETE' then 'select -1 as sign, * from was'
    else 'select 1 as sign, * from changed union all select -1, * from was'
  end);
  return null;
end $$;

create trigger days_inserted after insert on task_submission referencing new table as changed for each statement execute function keep_task_days();
create trigger days_updated after update on task_submission referencing old table as was new table as changed for each statement execute function keep_task_days();
create trigger days_deleted after delete on task_submission referencing old table as was for each statement execute function keep_task_days();

do $$
begin
  execute add_up_task_days('select 1 as sign, * from task_submission');
end $$;

-- What is to be paid for.
create index task_submission_owed on task_submission (tenant_id, audit_time, id) where audit_status = 1 and pay_status in (0, 3) and is_deleted = 0;
