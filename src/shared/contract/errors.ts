import { type Language, type LocalizedText, localize, type TextValues } from '../text/text.ts';

/** A type of error: the HTTP status, which is also `code` of the envelope, and the message for the user. */
export interface Problem {
  readonly status: number;
  readonly message: LocalizedText;
}

/** Errors that any call can return. A plugin declares its own in its contract with `problem()`. */
export const problems = {
  badRequest: { status: 400, message: ['参数校验失败', 'The request is not valid.'] },
  unreadable: { status: 400, message: ['消息不能读取', 'The request body cannot be read.'] },
  missingParameter: { status: 400, message: ['缺少必要的请求参数: {name}', 'Missing parameter: {name}.'] },
  wrongParameter: { status: 400, message: ['请求参数格式错误: {name}', 'Invalid format: {name}.'] },
  maskedValue: { status: 400, message: ['该内容已隐藏，请输入完整内容', 'This value is masked. Enter the whole value.'] },
  unknownFilter: { status: 400, message: ['不支持的查询条件: {name}', 'Unsupported filter: {name}.'] },
  groupsTooDeep: { status: 400, message: ['条件组最多嵌套 {max} 层', 'Groups of conditions can be nested at most {max} levels deep.'] },
  tooManyFilters: { status: 400, message: ['条件过多，最多 {max} 个', 'Too many conditions. Use at most {max}.'] },
  unknownSort: { status: 400, message: ['不支持的排序字段: {name}', 'Unsupported sort field: {name}.'] },
  missingToken: { status: 401, message: ['缺失令牌,鉴权失败', 'Sign in to continue.'] },
  unauthorized: { status: 401, message: ['请求未授权', 'You are not signed in.'] },
  forbidden: { status: 403, message: ['请求被拒绝', 'You are not allowed to do this.'] },
  outsideScope: { status: 403, message: ['该数据将超出您的数据权限范围', 'This would move the record outside your data scope.'] },
  notFound: { status: 404, message: ['数据不存在或已被删除', 'Record not found. It may have been deleted.'] },
  unknownPath: { status: 404, message: ['404 没找到请求', 'Path not found.'] },
  methodNotAllowed: { status: 405, message: ['不支持当前请求方法', 'This method is not supported here.'] },
  conflict: { status: 409, message: ['数据已被他人修改，请刷新后重试', 'Someone else has changed this. Refresh and try again.'] },
  alreadyExists: { status: 409, message: ['{name}已存在', '{name} already exists.'] },
  takenBy: { status: 409, message: ['{name}已被「{holder}」使用', '{name} is already used by “{holder}”.'] },
  tooLateToUndo: { status: 409, message: ['数据已无法恢复', 'This record can no longer be restored.'] },
  orderStale: { status: 409, message: ['列表已有变化，请刷新后再调整顺序', 'The list has changed. Refresh and reorder again.'] },
  inUse: { status: 409, message: ['「{name}」正在使用中，请先解除引用', '“{name}” is in use. Remove what refers to it first.'] },
  someInUse: {
    status: 409,
    message: ['所选数据中有正在使用的，请先解除引用', 'Some of these records are in use. Remove what refers to them first.'],
  },
  inUseArchivable: {
    status: 409,
    message: ['「{name}」正在使用中，无法删除，可改为归档', '“{name}” is in use and cannot be deleted. You can archive it instead.'],
  },
  someInUseArchivable: {
    status: 409,
    message: ['所选数据中有正在使用的，无法删除，可改为归档', 'Some of these records are in use and cannot be deleted. You can archive them instead.'],
  },
  archived: { status: 409, message: ['「{name}」已归档，请先取消归档', '“{name}” is archived. Restore it from the archive first.'] },
  notEditable: { status: 409, message: ['「{name}」在当前状态下不能编辑', '“{name}” cannot be edited in its present state.'] },
  takenByArchived: {
    status: 409,
    message: ['{name}已被已归档的「{holder}」使用', '{name} is already used by the archived record “{holder}”.'],
  },
  referenceGone: { status: 400, message: ['{name}不存在或已被删除', '{name} not found. It may have been deleted.'] },
  referenceArchived: { status: 400, message: ['{name}已归档，请重新选择', '{name} is archived. Select another one.'] },
  parentGone: {
    status: 409,
    message: ['「{name}」的上级已删除或归档，请先恢复上级', 'The parent of “{name}” is deleted or archived. Restore the parent first.'],
  },
  hasChildren: { status: 409, message: ['请先删除子节点!', 'Delete its child items first.'] },
  belowItself: { status: 409, message: ['不能移动到自身或其下级', 'An item cannot be moved under itself or its children.'] },
  tooLarge: { status: 413, message: ['请求内容过大', 'The request is too large.'] },
  unsupportedMediaType: { status: 415, message: ['不支持当前媒体类型', 'This media type is not supported.'] },
  locked: { status: 423, message: ['屏幕已锁定', 'The screen is locked.'] },
  tooManyRequests: { status: 429, message: ['请求过于频繁，请稍后再试', 'Too many requests. Try again later.'] },
  previewing: {
    status: 403,
    message: ['正在预览其他角色，不能更改任何内容，请先结束预览', 'You are viewing as another role. End the preview to change anything.'],
  },
  secondFactorMissing: {
    status: 403,
    message: ['您的角色要求二次验证，请先设置', 'Your role requires two-step verification. Set it up first.'],
  },
  /** The only problem with status 428: the request succeeds after the user has confirmed their identity. */
  proofRequired: { status: 428, message: ['请先验证身份', 'Confirm your identity to continue.'] },
  passwordExpired: { status: 403, message: ['请先修改初始密码', 'Change your initial password first.'] },
  busy: { status: 503, message: ['当前登录人数过多，请稍后再试', 'Too many people are signing in. Try again later.'] },
  internal: { status: 500, message: ['服务器异常', 'Something went wrong on the server.'] },
  unavailable: { status: 503, message: ['服务暂不可用，请稍后再试', 'The service is temporarily unavailable. Try again later.'] },
} as const satisfies Record<string, Problem>;

/** Declares an error of a plugin; `{name}` placeholders are filled when it is thrown. */
export const problem = (status: number, message: LocalizedText): Problem => ({ status, message });

/** Error thrown when a request is refused for a reason that the user should read. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Name of the invalid form field, where a single field caused the error. */
  readonly field: string | undefined;
  /** Additional information, sent as `data` of the envelope. */
  readonly data: unknown;

  constructor(
    readonly problem: Problem,
    readonly values: TextValues = {},
    options: ErrorOptions & { readonly field?: string | undefined; readonly data?: unknown } = {},
  ) {
    super(localize(problem.message, 'en', values), options);
    this.field = options.field;
    this.data = options.data;
  }

  /** Returns the message in the given language. */
  text(language: Language): string {
    return localize(this.problem.message, language, this.values);
  }
}
