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
  hint: ['选择用户和页面、按钮或接口，即可看到每一步为什么允许或拒绝。', 'Select a user and a page, button or call to see why each step allows or denies it.'],
  allowed: ['{user} 可以使用「{name}」', '{user} can use “{name}”'],
  refused: ['{user} 不能使用「{name}」', '{user} cannot use “{name}”'],
  notFound: ['没有找到', 'No results'],
} as const satisfies Record<string, LocalizedText>;

/** Labels of the result of a step. */
export const verdictMessages = {
  allows: ['允许', 'Allowed'],
  refuses: ['拒绝', 'Denied'],
  silent: ['不涉及', 'Not applicable'],
} as const satisfies Record<string, LocalizedText>;
