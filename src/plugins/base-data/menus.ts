import { menu, showButton } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

// Separate from the contract, because every console loads the menu at start and the calls of a page only when it opens.

const shared = { under: menuGroups.base, buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'] } as const;

export const advertiserMenu = menu({
  ...shared,
  code: 'advertiser',
  title: ['广告主', 'Advertisers'],
  path: '/base/advertiser',
  icon: 'idcard',
  sort: 1,
  buttons: [...shared.buttons, showButton('advertiser_personal')],
});
export const platformMenu = menu({ ...shared, code: 'platform', title: ['投放平台', 'Platforms'], path: '/base/platform', icon: 'apps', sort: 2 });
export const categoryMenu = menu({ ...shared, code: 'category', title: ['任务分类', 'Categories'], path: '/base/category', icon: 'tag', sort: 3 });
export const taskGradeMenu = menu({ ...shared, code: 'task_grade', title: ['任务等级', 'Task grades'], path: '/base/grade', icon: 'trophy', sort: 4 });
export const cityMenu = menu({ ...shared, code: 'city', title: ['城市', 'Cities'], path: '/base/city', icon: 'location', sort: 5 });
