import type { LocalizedText } from '#shared/text';

/** Texts of the page that explains permissions. */
export const explainMessages = {
  user: ['用户', 'User'],
  subject: ['对象', 'Target'],
  entries: ['页面或按钮', 'Page or button'],
  call: ['接口', 'Call'],
  row: ['数据编号', 'Record ID'],
  rowHelp: ['选填，查询其中一条数据', 'Optional. Check one record.'],
  selectUser: ['输入账号或姓名', 'Enter an account or name'],
  selectEntry: ['选择页面或按钮', 'Select a page or button'],
  selectCall: ['输入接口名称或地址', 'Enter a name or path'],
  allowed: ['{user} 可以使用「{name}」', '{user} can use “{name}”'],
  refused: ['{user} 不能使用「{name}」', '{user} cannot use “{name}”'],
  checkAccess: ['检查「{title}」的访问权限', 'Check access to “{title}”'],
  checkRecordAccess: ['检查这条数据的访问权限', 'Check access to this record'],
  person: ['选择一位用户', 'Select a user'],
  what: ['想知道', 'Question'],
  seesRow: ['能否看到这条数据', 'Can they see this record?'],
  usesButton: ['能否使用「{title}」', 'Can they use “{title}”?'],
  whyHint: ['选择用户后，即可看到能否看到及其原因。', 'Select a user to see whether they can, and why.'],
  canSeeRow: ['{user} 能看到这条数据。', '{user} can see this record.'],
  cannotSeeRow: ['{user} 看不到这条数据。', '{user} cannot see this record.'],
  change: ['去更改', 'Change it'],
  allSteps: ['查看每一步', 'Show every step'],
  summaryOf: ['{user} 可以使用 {count} 个页面', 'Pages that {user} can use: {count}'],
  administrator: ['超级管理员拥有全部权限。', 'A super administrator has all permissions.'],
  cannotSignIn: ['{user} 不能登录：账号已停用或已过期。', '{user} cannot sign in: the account is disabled or has expired.'],
  byRoles: ['角色：{roles}', 'Roles: {roles}'],
  noRoles: ['没有角色', 'No roles'],
  via: ['来自{roles}', 'from {roles}'],
  onlyRows: ['只看：{rows}', 'only: {rows}'],
  separator: ['、', ', '],
  viewOnly: ['仅查看', 'View only'],
  wholePage: ['页面的全部功能', 'Everything on the page'],
  explainEntry: ['说明「{title}」的权限', 'Explain “{title}”'],
  back: ['返回概览', 'Back to the summary'],
  failed: ['权限说明加载失败。', 'Could not load the explanation.'],
  notFound: ['没有找到', 'No results'],
} as const satisfies Record<string, LocalizedText>;

/** Labels of the result of a step. */
export const verdictMessages = {
  allows: ['允许', 'Allowed'],
  refuses: ['拒绝', 'Denied'],
  silent: ['不涉及', 'Not applicable'],
} as const satisfies Record<string, LocalizedText>;
