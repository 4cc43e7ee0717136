-- The authority may return its number after the submission: it is recorded with who and when, while the version stays as it is.
alter table platform_report add column receipt_recorder varchar(64), add column receipt_time timestamptz(0);
update platform_report set receipt_recorder = submitter_name, receipt_time = submitted_time where receipt_no is not null;

create or replace function keep_platform_report() returns trigger language plpgsql as $$
begin
  if old.state = 1 and (tg_op = 'DELETE' or old.receipt_no is not null and new.receipt_no is null
    or (new.quarter, new.version_no, new.state, new.payees, new.exceptions, new.changes, new.payouts, new.gross, new.withheld,
      new.ledger_gross, new.checksum, new.columns, new.submitter_name, new.submitted_time, new.is_deleted)
    is distinct from (old.quarter, old.version_no, old.state, old.payees, old.exceptions, old.changes, old.payouts, old.gross, old.withheld,
      old.ledger_gross, old.checksum, old.columns, old.submitter_name, old.submitted_time, old.is_deleted)
    or (new.receipt_recorder, new.receipt_time) is distinct from (old.receipt_recorder, old.receipt_time) and new.receipt_no is not distinct from old.receipt_no) then
    raise exception 'report % is not changed', old.id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
