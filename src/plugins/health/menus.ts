import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const healthMenu = menu({
  code: 'health',
  title: ['运行状况', 'Health'],
  path: '/monitor/health',
  under: menuGroups.monitor,
  icon: 'dashboard',
  sort: 0,
  isPlatformOnly: true,
  buttons: [{ code: 'health_backup', title: ['立即备份', 'Back up now'] }],
});
