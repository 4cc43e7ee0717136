import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

const buttons = ['add', 'edit', 'delete', 'view', 'export', 'import'] as const;

export const advertiserMenu = menu({
  code: 'advertiser',
  title: ['广告主', 'Advertisers'],
  path: '/base/advertiser',
  under: menuGroups.base,
  icon: 'idcard',
  sort: 1,
  buttons,
});
export const platformMenu = menu({
  code: 'platform',
  title: ['投放平台', 'Platforms'],
  path: '/base/platform',
  under: menuGroups.base,
  icon: 'apps',
  sort: 2,
  buttons,
});
export const categoryMenu = menu({
  code: 'category',
  title: ['任务分类', 'Categories'],
  path: '/base/category',
  under: menuGroups.base,
  icon: 'tag',
  sort: 3,
  buttons,
});
export const taskGradeMenu = menu({
  code: 'task_grade',
  title: ['任务等级', 'Task grades'],
  path: '/base/grade',
  under: menuGroups.base,
  icon: 'trophy',
  sort: 4,
  buttons,
});
export const cityMenu = menu({ code: 'city', title: ['城市', 'Cities'], path: '/base/city', under: menuGroups.base, icon: 'location', sort: 5, buttons });
