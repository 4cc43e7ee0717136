-- Time at which a server was last seen whose version accepts no token of a key pair. A new database has none; in any other one, such a server ran before this migration.
create table earlier_server (
  id integer primary key default 1 check (id = 1),
  seen_time timestamptz not null
);

insert into earlier_server (seen_time) select clock_timestamp() where exists (select from tenant);

call secure_rows('earlier_server');
