-- The roles as which the console is looked at in this session; null: as one's own.
alter table session add column preview_role_ids bigint[];
