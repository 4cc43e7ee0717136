-- Few rows: entries of the menu that still have the names they were seeded with. 任务 is the advertising task; a job is 作业.
update menu m
set name = renamed.name, name_en = case when m.name_en = renamed.old_en then renamed.name_en else m.name_en end
from (values
  ('job', '任务调度', '定时作业', 'Job scheduling', 'Scheduled jobs'),
  ('jobserver', '任务服务', '作业服务', 'Job servers', 'Job servers'),
  ('jobinfo', '任务信息', '作业列表', 'Jobs', 'Jobs'),
  ('jobcalendar', '任务日历', '作业日历', 'Job calendar', 'Job calendar')
) renamed (code, old_name, name, old_en, name_en)
where m.code = renamed.code and m.name = renamed.old_name;
