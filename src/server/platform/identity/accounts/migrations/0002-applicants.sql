-- Whoever asked for an account is told what became of it: by the identity they asked with, or by name and password.
alter table registration add column oauth_id bigint;

create index registration_by_identity on registration (tenant_id, oauth_id) where oauth_id is not null;
create index registration_by_account on registration (tenant_id, lower(account));
