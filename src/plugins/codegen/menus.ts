import { menu } from '#shared/menu-entry';

// Apart from the contract: the menu is part of every console's first load, what its pages ask is not.

export const datasourceMenu = menu({
  code: 'datasource',
  title: ['数据源管理', 'Data sources'],
  path: '/tool/datasource',
  under: 'tool',
  icon: 'storage',
  sort: 3,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'datasource_test', title: ['测试连接', 'Test'] }],
});
