drop index concurrently if exists user_account_of_notices;
