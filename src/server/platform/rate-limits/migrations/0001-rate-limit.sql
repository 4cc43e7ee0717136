-- How many requests each address and user may still send, for all servers together. A crash may empty it: then all may send a minute's amount again.
-- The columns rate, wanted and owed are those of the latest statement, which the next one computes with.
create unlogged table rate_limit (
  subject varchar(200) primary key,
  rate double precision not null,
  wanted integer not null,
  owed integer not null,
  tokens double precision not null,
  granted integer not null,
  seen_time timestamptz not null
) with (fillfactor = 70);

call secure_rows('rate_limit');
