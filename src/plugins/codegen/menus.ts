import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

const shared = { under: menuGroups.tool, isPlatformOnly: true };
const rowButtons = ['add', 'edit', 'delete', 'view', 'export', 'import'] as const;

export const datasourceMenu = menu({
  ...shared,
  code: 'datasource',
  title: ['数据源管理', 'Data sources'],
  path: '/tool/datasource',
  icon: 'storage',
  sort: 3,
  buttons: [...rowButtons, { code: 'datasource_test', title: ['测试连接', 'Test connection'] }],
});

export const modelMenu = menu({
  ...shared,
  code: 'model',
  title: ['数据模型', 'Data models'],
  path: '/tool/model',
  icon: 'layout',
  sort: 2,
  buttons: rowButtons,
});

export const codeMenu = menu({
  ...shared,
  code: 'code',
  title: ['代码生成', 'Code generator'],
  path: '/tool/code',
  icon: 'code',
  sort: 1,
  buttons: [...rowButtons, { code: 'code_gen', title: ['生成代码', 'Generate code'] }],
});
