-- The address under which a tenant signs in, and the picture behind its sign-in page.
alter table tenant
  add column domain varchar(255),
  add column background_url varchar(1000);

create unique index tenant_domain_once on tenant (lower(domain)) where is_deleted = 0;

-- Grants beside account and password; programs that were given a client keep the grants they have.
update client set grants = grants || ',sms_code,social,authorization_code,register' where client_id = 'sryx' and grants = 'captcha,password,refresh_token';

-- How often something was asked for in the window that ends then.
create table asked_count (
  kind varchar(16) not null,
  subject varchar(160) not null,
  asked integer not null,
  ends_at timestamptz not null,
  primary key (kind, subject)
);

create index asked_count_by_end on asked_count (ends_at);

-- States of sign-ins elsewhere that have come back: each is good once.
create table used_state (
  id varchar(16) primary key,
  expires_at timestamptz not null
);

create index used_state_by_end on used_state (expires_at);
