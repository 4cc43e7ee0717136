create index user_account_by_role on user_account using gin (role_id jsonb_path_ops);
