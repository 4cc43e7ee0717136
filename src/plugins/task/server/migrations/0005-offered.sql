-- Apart from the change of the submissions, because claims lock tasks before submissions.
create function move_submissions() returns trigger language plpgsql as $$
begin
  update task_submission set advertiser_id = new.advertiser_id where task_id = new.id;
  return null;
end $$;

create trigger move_submissions after update of advertiser_id on task for each row when (old.advertiser_id is distinct from new.advertiser_id) execute function move_submissions();

update task_submission s set advertiser_id = t.advertiser_id from task t where t.id = s.task_id and s.advertiser_id <> t.advertiser_id;

-- What published tasks still offer; without the counter of claims, whose every change would write the index.
create index task_offered on task (tenant_id, advertiser_id) where status = 2 and is_deleted = 0;
