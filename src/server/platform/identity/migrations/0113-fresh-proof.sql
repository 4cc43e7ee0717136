-- Time at which the user last proved their identity in the session; null where the session came from another one.
alter table session add column proven_at timestamptz;
