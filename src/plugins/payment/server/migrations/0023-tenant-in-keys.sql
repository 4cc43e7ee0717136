alter table payout
  drop constraint payout_pkey, add constraint payout_pkey primary key using index payout_by_id,
  drop constraint if exists payout_submission_id_fkey,
  drop constraint payout_advertiser_id_fkey;
alter table payout add constraint payout_submission foreign key (submission_id, tenant_id) references task_submission (id, tenant_id) not valid;
alter table payout add constraint payout_advertiser foreign key (advertiser_id, tenant_id) references advertiser (id, tenant_id) not valid;
alter table ledger_posting
  drop constraint ledger_posting_pkey, add constraint ledger_posting_pkey primary key using index ledger_posting_by_id,
  drop constraint ledger_posting_advertiser_id_fkey;
alter table ledger_posting add constraint ledger_posting_advertiser foreign key (advertiser_id, tenant_id) references advertiser (id, tenant_id) not valid;
