-- The last time it was begun: who was served longest ago comes first.
alter table transfer add column begin_time timestamptz;
