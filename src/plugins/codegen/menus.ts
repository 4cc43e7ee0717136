import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

export const datasourceMenu = menu({
  code: 'datasource',
  title: ['数据源管理', 'Data sources'],
  path: '/tool/datasource',
  under: menuGroups.tool,
  icon: 'storage',
  sort: 3,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import', { code: 'datasource_test', title: ['测试连接', 'Test connection'] }],
});

export const modelMenu = menu({
  code: 'model',
  title: ['数据模型', 'Data models'],
  path: '/tool/model',
  under: menuGroups.tool,
  icon: 'layout',
  sort: 2,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const codeMenu = menu({
  code: 'code',
  title: ['代码生成', 'Code generator'],
  path: '/tool/code',
  under: menuGroups.tool,
  icon: 'code',
  sort: 1,
  isPlatformOnly: true,
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import', { code: 'code_gen', title: ['生成代码', 'Generate code'] }],
});
