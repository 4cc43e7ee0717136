-- Each submission has the advertiser of its task, so that money is summed and searched by advertiser without reading the tasks.
alter table task_submission add column advertiser_id bigint;
alter table task_submission disable trigger user;
update task_submission s set advertiser_id = t.advertiser_id from task t where t.id = s.task_id;
alter table task_submission enable trigger user;
alter table task_submission alter column advertiser_id set not null;

create function keep_submission_advertiser() returns trigger language plpgsql as $$
begin
  new.advertiser_id := (select advertiser_id from task where id = new.task_id);
  return new;
end $$;

create trigger keep_submission_advertiser before insert or update of task_id on task_submission for each row execute function keep_submission_advertiser();

create index task_submission_of_advertiser on task_submission (tenant_id, advertiser_id, id) where is_deleted = 0;
-- Sums of open and of approved, unpaid work read the index only.
create index task_submission_committed on task_submission (tenant_id, advertiser_id) include (amount, audit_status, pay_status)
  where is_deleted = 0 and audit_status in (0, 1, 3) and pay_status in (0, 3);
