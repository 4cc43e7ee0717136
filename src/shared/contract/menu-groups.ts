import { menu } from './menu-entry.ts';

/** Groups at the top of the product's menu, for the pages that plugins put under them: by the people who work in them, the technical ones last. */
export const menuGroups = {
  desk: menu({ code: 'desk', title: ['工作台', 'Workbench'], path: '/desk', icon: 'desktop', sort: 1 }),
  task: menu({ code: 'task', title: ['任务管理', 'Tasks'], path: '/task', icon: 'ordered-list', sort: 2 }),
  finance: menu({ code: 'finance', title: ['财务管理', 'Finance'], path: '/finance', icon: 'book', sort: 3 }),
  payees: menu({ code: 'payees', title: ['收款人与税务', 'Payees and tax'], path: '/payees', icon: 'idcard', sort: 3 }),
  paymentSetup: menu({ code: 'payment_setup', title: ['付款设置', 'Payment setup'], path: '/payment-setup', icon: 'settings', sort: 3 }),
  miniapp: menu({ code: 'miniapp', title: ['小程序', 'Mini-app'], path: '/miniapp', icon: 'mobile', sort: 4 }),
  base: menu({ code: 'base', title: ['基础配置', 'Base data'], path: '/base', icon: 'storage', sort: 5 }),
  resource: menu({ code: 'resource', title: ['资源管理', 'Resources'], path: '/resource', icon: 'folder', sort: 6 }),
  authority: menu({ code: 'authority', title: ['组织与权限', 'People and access'], path: '/authority', icon: 'user-group', sort: 7 }),
  system: menu({ code: 'system', title: ['系统管理', 'System'], path: '/system', icon: 'settings', sort: 96 }),
  monitor: menu({ code: 'monitor', title: ['系统监控', 'Monitoring'], path: '/monitor', icon: 'dashboard', sort: 97 }),
  job: menu({ code: 'job', title: ['定时作业', 'Scheduled jobs'], path: '/job', icon: 'schedule', sort: 98 }),
  tool: menu({ code: 'tool', title: ['研发工具', 'Developer tools'], path: '/tool', icon: 'tool', sort: 99 }),
};

/** Menu code and path of the page that explains why a user has a permission or lacks it. */
export const explainPage = { code: 'permission_explain', path: '/authority/explain' } as const;
