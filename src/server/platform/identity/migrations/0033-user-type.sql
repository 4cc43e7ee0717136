-- The kind of program somebody signed in with: web, app or other.
alter table session add column user_type varchar(8) not null default 'web';
