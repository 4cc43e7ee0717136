-- Outcomes that people record of payouts whose orders their providers no longer know. Above the limit one waits for approval while its payout is still in process.
alter table payout add column outcome integer check (outcome in (2, 3)),
  add column outcome_no varchar(64),
  add column outcome_day date,
  add column recorded_by bigint,
  add column recorder_name varchar(64),
  add column recorded_time timestamptz(0),
  add column outcome_approved_by bigint,
  add column outcome_approver_name varchar(64),
  add constraint payout_outcome check (outcome is null or recorded_by is not null and (outcome = 2) = (outcome_no is not null and outcome_day is not null));
-- What a user has recorded on a day.
create index payout_recorded on payout (tenant_id, recorded_by, recorded_time) where recorded_by is not null;

-- The outcome of a payout that has ended stays, as its state does.
create or replace function keep_payout() returns trigger language plpgsql as $$
begin
  if (new.pay_no, new.submission_id, new.amount, new.withheld, new.openid, new.advertiser_id)
      is distinct from (old.pay_no, old.submission_id, old.amount, old.withheld, old.openid, old.advertiser_id)
    or old.state in (2, 3, 4, 5)
      and (new.state <> old.state and not (old.state = 2 and new.state = 5)
        or (new.outcome, new.outcome_no, new.outcome_day, new.recorded_by) is distinct from (old.outcome, old.outcome_no, old.outcome_day, old.recorded_by)) then
    raise exception 'payout % is not changed', old.pay_no;
  end if;
  return new;
end $$;
