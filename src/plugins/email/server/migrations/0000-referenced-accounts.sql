-- The first tables refer to an account by its id alone; a later file adds the tenant and drops this index.
create unique index concurrently if not exists user_account_of_email on user_account (id);
