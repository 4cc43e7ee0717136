-- The first payouts refer to a submission by its id alone; a later file adds the tenant and drops this index.
do $$ begin
  if to_regclass('payout') is null then
    create unique index task_submission_by_id_alone on task_submission (id);
  end if;
end $$;
