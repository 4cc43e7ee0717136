-- Packages of plugins that were uploaded to the running deployment, whole, so that every server loads the same bytes.
create table plugin_package (
  digest char(64) primary key,
  plugin_id varchar(64) not null,
  version varchar(64) not null,
  archive bytea not null,
  -- Name of the key that has signed it; null for a package without a signature.
  signer varchar(64),
  create_user bigint,
  create_time timestamptz(0) not null default now()
);

-- The package that each plugin runs with, and the one it ran with before, to which it can return.
create table plugin_installation (
  plugin_id varchar(64) primary key,
  digest char(64) not null references plugin_package,
  previous_digest char(64) references plugin_package,
  update_user bigint,
  update_time timestamptz(0) not null default now()
);

-- Migrations of packages as they were applied, by their hash: a backup restores the tables by them, and a removal with the data drops what they have created.
create table plugin_migration (
  hash char(64) primary key,
  text text not null
);

-- Nobody's in particular: they are read and written as the platform alone.
call secure_rows('plugin_package');
call secure_rows('plugin_installation');
call secure_rows('plugin_migration');
