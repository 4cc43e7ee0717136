-- Backups as the administrators of the server record them, whichever tool makes them.
create table backup (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null default now()
);

-- Only the platform reads and writes it.
call secure_rows('backup');
