-- Source of the identity provider whose first sign-in has created the account, and whether its user must sign in there before any other method accepts them.
alter table user_account add column provided_by varchar(32), add column provider_locked boolean not null default false;
