-- Servers that run before this database, and by when each was last heard of; one that is silent for too long counts as gone.
-- What is known of each is one document, so that servers of different versions read each other's.
create table replica (
  id uuid primary key,
  facts jsonb not null,
  start_time timestamptz not null default clock_timestamp(),
  seen_time timestamptz not null default clock_timestamp()
);

-- Nobody's in particular: it is read and written as the platform alone.
call secure_rows('replica');
