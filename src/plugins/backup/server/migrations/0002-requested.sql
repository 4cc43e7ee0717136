-- User who has requested the backup; null for one of the schedule. A requested one waits for its server without a lease.
alter table backup_run add column requested_by bigint;
