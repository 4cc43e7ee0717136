import { type Button, type MenuIconName, menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';
import type { LocalizedText } from '#shared/text';

const logMenu = (kind: string, title: LocalizedText, icon: MenuIconName, buttons: readonly Button[]) =>
  menu({ code: `log_${kind}`, title, path: `/monitor/log/${kind}`, formerPaths: [`/monitor/log_${kind}`], under: menuGroups.monitor, icon, buttons });

export const usualLogMenu = logMenu('usual', ['通用日志', 'System log'], 'file', ['view']);
export const apiLogMenu = logMenu('api', ['接口日志', 'API log'], 'ordered-list', ['view']);
export const errorLogMenu = logMenu('error', ['错误日志', 'Error log'], 'bug', ['view']);
export const loginLogMenu = logMenu('login', ['登录日志', 'Sign-in log'], 'idcard', []);
export const personalLogMenu = logMenu('personal', ['个人信息日志', 'Personal data log'], 'lock', []);
