-- Lists of the payouts of one advertiser and of one run come in the order of the index, however many there are.
drop index payout_of_advertiser;
create index payout_of_advertiser on payout (tenant_id, advertiser_id, create_time, id);
drop index payout_of_run;
create index payout_of_run on payout (tenant_id, batch_no, create_time, id);
