-- Payouts are counted before an advertiser or a task is deleted.
create index payout_of_advertiser on payout (tenant_id, advertiser_id);
create index payout_of_task on payout (tenant_id, task_id);
