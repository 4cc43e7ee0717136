alter table payout validate constraint payout_submission;
alter table payout validate constraint payout_advertiser;
alter table ledger_posting validate constraint ledger_posting_advertiser;
