-- Backups that servers make by schedule, with their results.
create table backup_run (
  id bigint generated always as identity primary key,
  server varchar(255) not null,
  start_time timestamptz not null default clock_timestamp(),
  -- Set while the backup is made, and renewed by its server.
  lease_until timestamptz,
  end_time timestamptz,
  -- Reason why there is no backup.
  problem text,
  -- True if the server stopped before the backup was complete.
  is_interrupted boolean not null default false,
  -- True if administrators were notified.
  is_alerted boolean not null default false,
  -- True if the backup was restored into a temporary database.
  is_verified boolean not null,
  path text,
  bytes bigint,
  row_count bigint,
  file_count bigint,
  missing_count bigint
);
create index backup_run_start on backup_run (start_time);

-- Only the platform reads and writes it.
call secure_rows('backup_run');
