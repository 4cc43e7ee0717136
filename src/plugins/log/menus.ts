import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

export const usualLogMenu = menu({
  code: 'log_usual',
  title: ['通用日志', 'System log'],
  path: '/monitor/log/usual',
  formerPaths: ['/monitor/log_usual'],
  under: menuGroups.monitor,
  icon: 'file',
  buttons: ['view'],
});

export const apiLogMenu = menu({
  code: 'log_api',
  title: ['接口日志', 'API log'],
  path: '/monitor/log/api',
  formerPaths: ['/monitor/log_api'],
  under: menuGroups.monitor,
  icon: 'ordered-list',
  buttons: ['view'],
});

export const errorLogMenu = menu({
  code: 'log_error',
  title: ['错误日志', 'Error log'],
  path: '/monitor/log/error',
  formerPaths: ['/monitor/log_error'],
  under: menuGroups.monitor,
  icon: 'bug',
  buttons: ['view'],
});

export const loginLogMenu = menu({
  code: 'log_login',
  title: ['登录日志', 'Sign-in log'],
  path: '/monitor/log/login',
  formerPaths: ['/monitor/log_login'],
  under: menuGroups.monitor,
  icon: 'idcard',
});
