-- Members of the role set up a second factor before they do anything else.
alter table role add column requires_second_factor boolean not null default false;
