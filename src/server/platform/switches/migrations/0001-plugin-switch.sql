-- Plugins that somebody has switched off, for one tenant or, under '*', for the whole deployment. What is not here is on.
create table plugin_switch (
  tenant_id varchar(12) not null,
  plugin_id varchar(64) not null,
  create_user bigint,
  create_time timestamptz(0) not null default now(),
  primary key (tenant_id, plugin_id)
);

-- Nobody's in particular: it is read and written as the platform alone.
call secure_rows('plugin_switch');
