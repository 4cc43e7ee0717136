-- Somebody wants it, whether or not a record refers to it: what nothing refers to is removed but for this.
alter table stored_file add column is_kept boolean not null default false;
