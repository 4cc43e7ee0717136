import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const dictMenu = menu({
  code: 'dict',
  title: ['系统字典', 'Dictionaries'],
  path: '/system/dict',
  isPlatformOnly: true,
  under: menuGroups.system,
  icon: 'book',
  sort: 3,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const dictBizMenu = menu({
  code: 'dict_biz',
  title: ['业务字典', 'Business dictionaries'],
  path: '/system/dictbiz',
  under: menuGroups.system,
  icon: 'tag',
  sort: 4,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});
