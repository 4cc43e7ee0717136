import { type Language, say, type Words, type WordValues } from './text.ts';

/** One way in which something goes wrong: HTTP status (also `code` of the envelope) and what the user reads. */
export interface Problem {
  readonly status: number;
  readonly words: Words;
}

/** The problems any call may meet. A domain declares its own in its contract with `problem()`. */
export const problems = {
  badRequest: { status: 400, words: ['参数校验失败', 'The request is not valid.'] },
  unreadable: { status: 400, words: ['消息不能读取', 'The request body cannot be read.'] },
  missingParameter: { status: 400, words: ['缺少必要的请求参数: {name}', 'Missing parameter: {name}.'] },
  wrongParameter: { status: 400, words: ['请求参数格式错误: {name}', 'Wrong format: {name}.'] },
  unknownFilter: { status: 400, words: ['不支持的查询条件: {name}', 'Unknown filter: {name}.'] },
  unknownSort: { status: 400, words: ['不支持的排序字段: {name}', 'Unknown sort column: {name}.'] },
  unauthorized: { status: 401, words: ['请求未授权', 'You are not signed in.'] },
  forbidden: { status: 403, words: ['请求被拒绝', 'You are not allowed to do this.'] },
  outsideScope: { status: 403, words: ['该数据将超出您的数据权限范围', 'This would put the record outside of what you may see.'] },
  notFound: { status: 404, words: ['数据不存在或已被删除', 'This record does not exist or has been deleted.'] },
  unknownPath: { status: 404, words: ['404 没找到请求', 'No such address.'] },
  methodNotAllowed: { status: 405, words: ['不支持当前请求方法', 'This method is not supported here.'] },
  conflict: { status: 409, words: ['数据已被他人修改，请刷新后重试', 'Someone else has changed this. Refresh and try again.'] },
  alreadyExists: { status: 409, words: ['{name}已存在', '{name} already exists.'] },
  tooLateToUndo: { status: 409, words: ['已无法撤销此次删除', 'This deletion can no longer be undone.'] },
  orderStale: { status: 409, words: ['列表已有变化，请刷新后再调整顺序', 'The list has changed meanwhile. Reload before you put it in order.'] },
  hasChildren: { status: 409, words: ['请先删除子节点!', 'Delete the entries below it first.'] },
  belowItself: { status: 409, words: ['不能移动到自身或其下级！', 'It cannot be moved below itself.'] },
  tooLarge: { status: 413, words: ['请求内容过大', 'The request is too large.'] },
  unsupportedMediaType: { status: 415, words: ['不支持当前媒体类型', 'This media type is not supported.'] },
  locked: { status: 423, words: ['屏幕已锁定', 'The screen is locked.'] },
  tooManyRequests: { status: 429, words: ['请求过于频繁，请稍后再试', 'Too many requests. Try again later.'] },
  previewing: {
    status: 403,
    words: ['正在预览其他角色，不能更改任何内容，请先结束预览', 'You are viewing as another role. End the preview to change anything.'],
  },
  passwordExpired: { status: 403, words: ['请先修改初始密码', 'Change your initial password first.'] },
  busy: { status: 503, words: ['当前登录人数过多，请稍后再试', 'Many people are signing in right now. Try again in a moment.'] },
  internal: { status: 500, words: ['服务器异常', 'Something went wrong on the server.'] },
  unavailable: { status: 503, words: ['服务暂不可用，请稍后再试', 'The service is not available right now. Try again later.'] },
} as const satisfies Record<string, Problem>;

/** Declares a problem of a domain; `{name}` places are filled when it is thrown. */
export const problem = (status: number, words: Words): Problem => ({ status, words });

/** Thrown wherever a request cannot be done for a reason the user should read. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The field of the form that is wrong, where it is one field's fault. */
  readonly field: string | undefined;
  /** What is told besides, as `data` of the envelope. */
  readonly data: unknown;

  constructor(
    readonly problem: Problem,
    readonly values: WordValues = {},
    options: ErrorOptions & { readonly field?: string | undefined; readonly data?: unknown } = {},
  ) {
    super(say(problem.words, 'en', values), options);
    this.field = options.field;
    this.data = options.data;
  }

  /** What the user reads. */
  text(language: Language): string {
    return say(this.problem.words, language, this.values);
  }
}
