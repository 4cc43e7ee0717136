-- What has happened lately, so that a console which was cut off hears the rest from any replica.

create table live_event (
  id bigint primary key default next_id(),
  -- Whose it is; '*' concerns every tenant.
  tenant_id varchar(12) not null default current_setting('app.tenant'),
  -- Narrows it to one user, or to those who have one role, by its alias.
  user_id bigint,
  role varchar(64),
  name varchar(128) not null,
  payload jsonb not null,
  create_time timestamptz not null default now()
);

call secure_rows('live_event');
create policy tenant_reads on live_event for select to marquee_tenant using (tenant_id in (current_setting('app.tenant', true), '*'));
create policy tenant_writes on live_event for insert to marquee_tenant with check (tenant_id = current_setting('app.tenant', true));
grant select, insert on live_event to marquee_tenant;

create index live_event_by_time on live_event (create_time);
