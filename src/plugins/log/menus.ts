import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const usualLogMenu = menu({
  code: 'log_usual',
  title: ['通用日志', 'Usual log'],
  path: '/monitor/log_usual',
  under: 'monitor',
  icon: 'file',
  buttons: ['view'],
});

export const apiLogMenu = menu({
  code: 'log_api',
  title: ['接口日志', 'API log'],
  path: '/monitor/log_api',
  under: 'monitor',
  icon: 'ordered-list',
  buttons: ['view'],
});

export const errorLogMenu = menu({
  code: 'log_error',
  title: ['错误日志', 'Error log'],
  path: '/monitor/log_error',
  under: 'monitor',
  icon: 'bug',
  buttons: ['view'],
});

export const loginLogMenu = menu({ code: 'log_login', title: ['登录日志', 'Sign-in log'], path: '/monitor/log_login', under: 'monitor', icon: 'idcard' });
