import { menu } from './menu-entry.ts';

/** Groups at the top of the product's menu, for the pages that plugins put under them. */
export const menuGroups = {
  desk: menu({ code: 'desk', title: ['工作台', 'Workbench'], path: '/desk', icon: 'desktop', sort: 1 }),
  task: menu({ code: 'task', title: ['任务管理', 'Tasks'], path: '/task', icon: 'ordered-list', sort: 2 }),
  monitor: menu({ code: 'monitor', title: ['系统监控', 'Monitoring'], path: '/monitor', icon: 'dashboard', sort: 3 }),
  tool: menu({ code: 'tool', title: ['研发工具', 'Developer tools'], path: '/tool', icon: 'tool', sort: 4 }),
  resource: menu({ code: 'resource', title: ['资源管理', 'Resources'], path: '/resource', icon: 'folder', sort: 6 }),
  job: menu({ code: 'job', title: ['任务调度', 'Job scheduling'], path: '/job', icon: 'schedule', sort: 7 }),
  miniapp: menu({ code: 'miniapp', title: ['小程序', 'Mini-app'], path: '/miniapp', icon: 'mobile', sort: 8 }),
  base: menu({ code: 'base', title: ['基础配置', 'Base data'], path: '/base', icon: 'storage', sort: 97 }),
  authority: menu({ code: 'authority', title: ['权限管理', 'Permissions'], path: '/authority', icon: 'safe', sort: 98 }),
  system: menu({ code: 'system', title: ['系统管理', 'System'], path: '/system', icon: 'settings', sort: 99 }),
};
