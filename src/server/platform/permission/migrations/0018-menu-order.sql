-- The groups of the menu follow the people who work in them, the technical ones last. An entry that an administrator has moved, sorted or renamed stays as it is.
with finance as (
  insert into seeded_menu (code, plugin_id, menu_id)
  select 'finance', 'kernel', next_id() from seeded_menu where code = 'task_pay'
  on conflict (code) do nothing
  returning menu_id
)
insert into menu (id, parent_id, code, name, name_en, alias, path, source, sort, category, action)
select menu_id, 0, 'finance', '财务管理', 'Finance', 'menu', '/finance', 'book', 3, 1, 0 from finance;

update menu m
set sort = moved.sort, parent_id = above.menu_id
from (values
  ('task_pay', 'task', 4, 'finance', 1), ('payout', 'task', 5, 'finance', 2), ('ledger', 'task', 6, 'finance', 3),
  ('reconciliation', 'task', 7, 'finance', 4), ('pay_channel', 'task', 8, 'finance', 5),
  ('user', 'system', 1, 'authority', 1), ('dept', 'system', 2, 'authority', 2), ('post', 'system', 3, 'authority', 3),
  ('role', 'authority', 1, 'authority', 4), ('registration', 'authority', 1, 'authority', 5), ('data_scope', 'authority', 2, 'authority', 6),
  ('api_scope', 'authority', 3, 'authority', 7), ('explain', 'authority', 4, 'authority', 8),
  ('setting', 'system', 1, 'system', 1), ('param', 'system', 2, 'system', 2), ('dict', 'system', 1, 'system', 3), ('dict_biz', 'system', 2, 'system', 4),
  ('menu', 'system', 5, 'system', 5), ('topmenu', 'system', 6, 'system', 6), ('tenant', 'system', 1, 'system', 7),
  ('tenant_package', 'system', 2, 'system', 8), ('social_app', 'system', 1, 'system', 9), ('client', 'system', 3, 'system', 10)
) moved (code, old_parent, old_sort, parent, sort)
join seeded_menu entry on entry.code = moved.code
join seeded_menu old_above on old_above.code = moved.old_parent
join seeded_menu above on above.code = moved.parent
where m.id = entry.menu_id and m.parent_id = old_above.menu_id and m.sort = moved.old_sort;

update menu m
set sort = moved.sort
from (values
  ('miniapp', 8, 4), ('base', 97, 5), ('authority', 98, 7), ('system', 99, 96), ('monitor', 3, 97), ('job', 7, 98), ('tool', 4, 99)
) moved (code, old_sort, sort)
join seeded_menu entry on entry.code = moved.code
where m.id = entry.menu_id and m.parent_id = 0 and m.sort = moved.old_sort;

update menu m
set name = '组织与权限', name_en = case when m.name_en = 'Permissions' then 'People and access' else m.name_en end
from seeded_menu s
where s.code = 'authority' and s.menu_id = m.id and m.name = '权限管理';
