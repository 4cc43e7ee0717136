import type { LocalizedText } from '#shared/text';
import type { ScopeOperator } from './scope-drafts.ts';

/** Texts of the visible rows of roles and people. */
export const visibleRowMessages = {
  title: ['数据范围', 'Data access'],
  titleFor: ['数据范围：{name}', 'Data access of {name}'],
  roleHint: ['成员能看到并处理哪些数据。多个角色的范围合并生效。', 'The records that members can see and work with. Multiple roles combine.'],
  personHint: [
    '单独为此人设定的范围，代替其角色的范围；其余跟随角色。',
    'What you set here for this person replaces what their roles show. Everything else follows the roles.',
  ],
  setAll: ['全部设为…', 'Set all to…'],
  follow: ['跟随角色', 'Follow roles'],
  all: ['全部', 'Everything'],
  own: ['本人', 'Their own'],
  department: ['本部门', 'Their department'],
  departmentAndBelow: ['本部门及以下', 'Their department and below'],
  custom: ['自定义…', 'Custom…'],
  edit: ['编辑条件', 'Edit conditions'],
  rangeOf: ['{name} 的范围', 'Access to {name}'],
  change: ['更改', 'Change'],
  editOf: ['编辑条件：{name}', 'Edit conditions: {name}'],
  visible: ['可见：{sentence}', 'Sees: {sentence}'],
  inherited: ['角色给予：{sentence}', 'From roles: {sentence}'],
  inheritedAll: ['角色给予：全部', 'From roles: everything'],
  within: ['并限于授权人可见的：{sentence}', 'Within what the granter sees: {sentence}'],
  noAreas: ['尚无可见的数据页面，请先授予菜单权限', 'No pages with records yet. Grant menu permissions first.'],
  showAll: ['显示未授予页面的数据（{count}）', 'Show records of pages that are not granted ({count})'],
  changed: ['{count} 项已更改', '{count} changed'],
  overview: ['数据范围一览', 'Data access overview'],
  overviewHint: [
    '本租户中所有被限定的角色和人员。未列出的可以看到其页面的全部数据。',
    'All roles and people with limited access. Everyone else sees all records of their pages.',
  ],
  roles: ['角色', 'Roles'],
  people: ['人员', 'People'],
  administratorSeesAll: ['超级管理员可以看到全部数据，无法限定', 'The super administrator sees everything and cannot be limited.'],
  noRules: ['还没有限定任何角色或人员的数据范围', 'No role or person is limited yet.'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the builder of conditions. */
export const builderMessages = {
  titleOf: ['可见条件：{name}', 'Conditions for {name}'],
  all: ['满足全部条件', 'Match all conditions'],
  any: ['满足任一条件', 'Match any condition'],
  match: ['条件关系', 'Match'],
  field: ['字段', 'Field'],
  operator: ['关系', 'Comparison'],
  value: ['值', 'Values'],
  add: ['添加条件', 'Add condition'],
  remove: ['移除条件：{name}', 'Remove condition: {name}'],
  confirm: ['确定', 'Done'],
  alsoFor: ['同样用于其他数据：{names}', 'Use the same for: {names}'],
  incomplete: ['请补全条件', 'Complete the conditions'],
  as: ['以此人预览', 'Preview as'],
  count: ['可见 {total} 条，共 {of} 条', '{total} of {of} records visible'],
  countMore: ['可见 {total} 条以上', 'More than {total} records visible'],
  uncounted: ['数据量过大，暂无法统计', 'Too many records to count in time.'],
  examples: ['例如', 'For example'],
  none: ['没有可见的数据', 'No records are visible.'],
  unreadable: [
    '此条件由接口写入，含有无法在此编辑的字段或嵌套，仍然有效。可重新设定以替换它。',
    'This condition was written through the API and has fields or nesting that cannot be edited here. It stays in effect until you replace it.',
  ],
  replace: ['重新设定', 'Replace'],
} as const satisfies Record<string, LocalizedText>;

/** Comparisons of the builder. */
export const operatorMessages = {
  is: ['是', 'is'],
  isNot: ['不是', 'is not'],
  below: ['是（含下级）', 'is or is below'],
  me: ['是本人', 'is themselves'],
  department: ['是其本部门', 'is their department'],
  departmentAndBelow: ['是其本部门及以下', 'is their department or below'],
} as const satisfies Record<ScopeOperator, LocalizedText>;
