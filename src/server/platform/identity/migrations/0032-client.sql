-- A client as the wire has it. What was comma text is a list.
alter table client rename column grants to authorized_grant_types;

alter table client
  alter column authorized_grant_types type jsonb using to_jsonb(string_to_array(replace(authorized_grant_types, ' ', ''), ',')),
  add column scope varchar(255) not null default 'all',
  add column resource_ids varchar(255),
  add column authorities varchar(255),
  alter column web_server_redirect_uri drop not null,
  alter column web_server_redirect_uri drop default;

update client set web_server_redirect_uri = null where web_server_redirect_uri = '';

call sort_by('client', 'client_id');

-- A tenant without a quota of its own is given the usual one when it is made.
alter table tenant alter account_number drop not null;
