-- The one department and the one role of their several that somebody has chosen to act as in this session; null: all of them.
alter table session add column dept_id bigint;
alter table session add column role_id bigint;
