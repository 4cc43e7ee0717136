-- Few rows: one for each program that signs users in. Those that sign in with providers may also use directories.
update client set authorized_grant_types = authorized_grant_types || '["ldap"]'
where is_public and authorized_grant_types @> '["social"]' and not authorized_grant_types @> '["ldap"]';
