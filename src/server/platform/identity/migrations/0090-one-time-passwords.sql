-- Until when a password that the server or an administrator gave may be signed in with; it is changed at the first sign-in.
alter table user_account add column password_expires_at timestamptz(0);
