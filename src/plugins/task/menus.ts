import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const taskMenu = menu({
  code: 'tasks',
  title: ['任务列表', 'Tasks'],
  path: '/task/list',
  under: menuGroups.task,
  icon: 'ordered-list',
  sort: 1,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    'export',
    { code: 'tasks_publish', title: ['发布', 'Publish'] },
    { code: 'tasks_xiajia', title: ['下架', 'Take down'] },
  ],
});

export const auditMenu = menu({
  code: 'task_audit',
  title: ['任务审核', 'Review'],
  path: '/task/audit',
  under: menuGroups.task,
  icon: 'check-square',
  sort: 2,
  buttons: [showButton('task_submission_personal')],
});

export const recordMenu = menu({
  code: 'task_record',
  title: ['审核记录', 'Review records'],
  path: '/task/record',
  under: menuGroups.task,
  icon: 'history',
  sort: 3,
});
