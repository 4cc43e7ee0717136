import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const regionMenu = menu({
  code: 'region',
  title: ['行政区划', 'Regions'],
  path: '/base/region',
  under: menuGroups.base,
  icon: 'location',
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import', { code: 'region_debug', title: ['区划调试', 'Test region picker'], isGrantedWithPage: true }],
});
