-- The record of a user shows their last sign-in.
create index login_log_by_user on login_log (user_id, create_time) where outcome = 'granted';
