-- Jobs that plugins have declared and that were added once; only the platform reads and writes it.
create table declared_job (
  processor varchar(128) not null,
  key varchar(64) not null,
  create_time timestamptz(0) not null default now(),
  primary key (processor, key)
);
call secure_rows('declared_job');
