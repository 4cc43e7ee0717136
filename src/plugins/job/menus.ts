import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

/** Permission codes without which jobs with the processors of HTTP calls and SQL statements can neither be saved nor enabled. */
export const httpPermission = 'jobinfo_http';
export const sqlPermission = 'jobinfo_sql';

export const jobHomeMenu = menu({
  code: 'jobhome',
  title: ['作业总览', 'Overview'],
  path: '/job/jobhome',
  under: menuGroups.job,
  icon: 'dashboard',
  sort: 0,
  grantedWith: 'jobinfo',
});

export const jobServerMenu = menu({
  code: 'jobserver',
  title: ['作业服务', 'Job servers'],
  path: '/job/jobserver',
  under: menuGroups.job,
  icon: 'storage',
  sort: 1,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'jobserver_sync', title: ['数据同步', 'Sync'] }],
});

export const jobInfoMenu = menu({
  code: 'jobinfo',
  title: ['作业列表', 'Jobs'],
  path: '/job/jobinfo',
  under: menuGroups.job,
  icon: 'schedule',
  sort: 2,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    'export',
    { code: 'jobinfo_change', title: ['启停', 'Pause and resume'] },
    { code: 'jobinfo_run', title: ['运行', 'Run'] },
    { code: httpPermission, title: ['HTTP 处理器', 'HTTP processor'] },
    { code: sqlPermission, title: ['SQL 处理器', 'SQL processor'] },
  ],
});

export const jobInstanceMenu = menu({
  code: 'jobinstance',
  title: ['运行实例', 'Runs'],
  path: '/job/jobinstance',
  under: menuGroups.job,
  icon: 'history',
  sort: 3,
  buttons: ['view', { code: 'jobinstance_stop', title: ['停止', 'Stop'] }, { code: 'jobinstance_retry', title: ['重试', 'Retry'] }],
});

export const jobCalendarMenu = menu({
  code: 'jobcalendar',
  title: ['作业日历', 'Job calendar'],
  path: '/job/jobcalendar',
  under: menuGroups.job,
  icon: 'calendar-clock',
  sort: 4,
});

export const jobWorkflowMenu = menu({
  code: 'jobworkflow',
  title: ['工作流', 'Workflows'],
  path: '/job/jobworkflow',
  under: menuGroups.job,
  icon: 'apps',
  sort: 5,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'jobworkflow_run', title: ['运行', 'Run'] }],
});
