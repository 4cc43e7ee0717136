import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const ossMenu = menu({
  code: 'oss',
  title: ['对象存储', 'Object storage'],
  path: '/resource/oss',
  under: menuGroups.resource,
  icon: 'storage',
  sort: 1,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    'export',
    'import',
    { code: 'oss_enable', title: ['启用', 'Enable'] },
    { code: 'oss_test', title: ['测试连接', 'Test connection'] },
  ],
});

export const attachMenu = menu({
  code: 'attach',
  title: ['附件管理', 'Attachments'],
  path: '/resource/attach',
  under: menuGroups.resource,
  icon: 'file',
  sort: 2,
  buttons: ['add', 'edit', 'delete', 'view'],
});
