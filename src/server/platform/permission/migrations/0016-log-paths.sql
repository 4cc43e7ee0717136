-- Log pages stand where BladeX-compatible consoles have their views. An entry that an administrator has moved stays where it is.
update menu m
set path = replace(m.path, '/monitor/log_', '/monitor/log/')
from seeded_menu s
where s.menu_id = m.id and (
  (s.code in ('log_usual', 'log_api', 'log_error', 'log_login') and m.path = '/monitor/' || s.code) or
  (s.code in ('log_usual_view', 'log_api_view', 'log_error_view') and m.path = '/monitor/' || replace(s.code, '_view', '/view'))
);
