-- Seals of rows that are written once: each has the hash of its rows and of the seal before it, and is signed with a key that the database does not have.
-- The chain of each table that belongs to no tenant (`*`) has what concerns all of them: the end of what is sealed, and the deletions of its retention.
create table evidence_seal (
  tenant varchar(12) not null,
  source varchar(63) not null,
  number bigint not null,
  -- Order of all seals, in which they are sent.
  position bigint not null unique,
  kind varchar(8) not null check (kind in ('rows', 'purge')),
  from_id bigint not null,
  to_id bigint not null,
  row_count integer not null,
  -- Names of the sealed columns, separated by commas.
  columns text not null,
  digest text not null,
  -- Id, time and beginning of the hash of each row, by which a difference is located.
  marks bytea not null,
  marks_digest text not null,
  -- Milliseconds since 1970: rows that were created before may have been deleted.
  purged_before bigint not null,
  sealed_at bigint not null,
  previous text not null,
  hash text not null,
  key_id varchar(16) not null,
  mac text not null,
  primary key (tenant, source, number)
);
call secure_rows('evidence_seal');

-- The end of each chain, so that removed seals are missed; and its beginning, before which all rows and seals are purged.
create table evidence_head (
  tenant varchar(12) not null,
  source varchar(63) not null,
  number bigint not null,
  hash text not null,
  to_id bigint not null,
  base_number bigint not null,
  base_hash text not null,
  base_id bigint not null,
  purged_before bigint not null,
  key_id varchar(16) not null,
  mac text not null,
  primary key (tenant, source)
);
call secure_rows('evidence_head');

-- The last seal that each destination has accepted, and the server that sends the next ones.
create table evidence_stream (
  destination varchar(16) primary key,
  position bigint not null default 0,
  lease varchar(36) not null default '',
  leased_until timestamptz not null default now()
);
call secure_rows('evidence_stream');

-- The last verification, one row.
create table evidence_check (
  id integer primary key check (id = 1),
  checked_at timestamptz not null,
  rows bigint not null,
  differences jsonb not null
);
call secure_rows('evidence_check');
