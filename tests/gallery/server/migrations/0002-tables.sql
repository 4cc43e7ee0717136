alter table exhibit add price integer not null default 0;
