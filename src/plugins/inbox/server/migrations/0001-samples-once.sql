-- A deployment that began before the inbox was a plugin has had its samples, whether or not they are still there.
insert into seeded_plugin (plugin_id) select 'inbox' where exists (select from tenant) on conflict do nothing;
