import type { Words } from '#shared/text';

/** What only the console says where permissions are explained. */
export const explainWords = {
  user: ['用户', 'User'],
  subject: ['对象', 'What'],
  entries: ['页面或按钮', 'Page or button'],
  call: ['接口', 'Call'],
  row: ['数据编号', 'Row id'],
  rowHelp: ['可选：查询其中一条数据', 'Optional: ask about one row of it'],
  chooseUser: ['输入账号或姓名', 'Type an account or a name'],
  chooseEntry: ['选择页面或按钮', 'Choose a page or button'],
  chooseCall: ['输入接口名称或地址', 'Type a name or an address'],
  hint: ['选择用户和页面、按钮或接口，即可看到每一步为什么允许或拒绝。', 'Choose a user and a page, a button or a call to see what each step decides.'],
  allowed: ['{user} 可以使用“{name}”', '{user} may use “{name}”'],
  refused: ['{user} 不能使用“{name}”', '{user} may not use “{name}”'],
  notFound: ['没有找到', 'Nothing found'],
} as const satisfies Record<string, Words>;

/** What a step decides, in a word. */
export const verdictWords = {
  allows: ['允许', 'Allows'],
  refuses: ['拒绝', 'Refuses'],
  silent: ['不涉及', 'Not asked'],
} as const satisfies Record<string, Words>;
