drop index concurrently if exists payout_bill;
drop index concurrently if exists payout_once;
drop index concurrently if exists ledger_posting_once;
drop index concurrently if exists ledger_posting_reversal;
drop index concurrently if exists task_submission_by_id_alone;
