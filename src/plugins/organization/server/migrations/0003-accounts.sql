-- What an account may do and where it stands is told by its links; the account shows them, so that lists, exports and logs know them as well.
alter table user_account
  -- Written in the transaction that adds the account; nothing is the hash of no password.
  alter column password_hash set default '',
  add column user_ext text,
  add column role_id jsonb,
  add column dept_id jsonb,
  add column post_id jsonb;

call sort_by('user_account', 'account');
call sort_by('user_account', 'real_name');

create function show_user_roles() returns trigger language plpgsql as $$
begin
  update user_account set role_id = (select jsonb_agg(role_id::text order by role_id) from user_role where user_id = user_account.id)
  where id in (select user_id from changed);
  return null;
end $$;

create function show_user_depts() returns trigger language plpgsql as $$
begin
  update user_account set dept_id = (select jsonb_agg(dept_id::text order by sort, dept_id) from user_dept where user_id = user_account.id)
  where id in (select user_id from changed);
  return null;
end $$;

create function show_user_posts() returns trigger language plpgsql as $$
begin
  update user_account set post_id = (select jsonb_agg(post_id::text order by post_id) from user_post where user_id = user_account.id)
  where id in (select user_id from changed);
  return null;
end $$;

create trigger role_given after insert on user_role referencing new table as changed for each statement execute function show_user_roles();
create trigger role_taken after delete on user_role referencing old table as changed for each statement execute function show_user_roles();
create trigger dept_given after insert on user_dept referencing new table as changed for each statement execute function show_user_depts();
create trigger dept_ordered after update on user_dept referencing new table as changed for each statement execute function show_user_depts();
create trigger dept_taken after delete on user_dept referencing old table as changed for each statement execute function show_user_depts();
create trigger post_given after insert on user_post referencing new table as changed for each statement execute function show_user_posts();
create trigger post_taken after delete on user_post referencing old table as changed for each statement execute function show_user_posts();

update user_account set
  role_id = (select jsonb_agg(role_id::text order by role_id) from user_role where user_id = user_account.id),
  dept_id = (select jsonb_agg(dept_id::text order by sort, dept_id) from user_dept where user_id = user_account.id),
  post_id = (select jsonb_agg(post_id::text order by post_id) from user_post where user_id = user_account.id);
