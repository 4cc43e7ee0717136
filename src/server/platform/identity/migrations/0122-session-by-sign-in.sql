create index concurrently if not exists session_by_sign_in on session (sign_in_id) where sign_in_id is not null and revoked_at is null;
