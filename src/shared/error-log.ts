import { Object as Shape, type Static, Unsafe } from 'typebox';
import { Done, entity, post } from './contract.ts';
import { Code, Id, LongText, Optional, Text, Whole } from './fields.ts';
import { loggedAt, writtenBy } from './log-fields.ts';

/** Something that went wrong, on the server or in somebody's browser, `wire.md` §4.18. */
export const ErrorLogEntry = entity('error_log', {
  id: Id(),
  ...loggedAt,
  exceptionName: Optional(Text({ title: ['异常', 'Error'], maxLength: 255, search: true })),
  requestUri: Text({ title: ['地址', 'Address'], maxLength: 512, search: true, width: 320 }),
  method: Text({ title: ['方法', 'Method'], maxLength: 8, width: 96 }),
  createBy: Optional(Text({ title: ['用户', 'User'], maxLength: 64, search: true })),
  remoteIp: Text({ title: ['来源地址', 'Remote address'], maxLength: 64 }),
  ...writtenBy,
  userAgent: Optional(Text({ title: ['浏览器', 'Browser'], maxLength: 512, list: false })),
  methodClass: Text({ title: ['模块', 'Module'], maxLength: 128, list: false }),
  methodName: Optional(Text({ title: ['操作', 'Operation'], maxLength: 255, list: false })),
  fileName: Optional(Text({ title: ['文件', 'File'], maxLength: 255, list: false })),
  lineNumber: Optional(Whole({ title: ['行号', 'Line'], list: false })),
  time: Optional(Text({ title: ['耗时（毫秒）', 'Milliseconds'], maxLength: 16, list: false })),
  params: Optional(LongText({ title: ['参数', 'Parameters'], list: false })),
  message: Optional(LongText({ title: ['信息', 'Message'], list: false })),
  stackTrace: Optional(Code({ title: ['堆栈', 'Stack'], maxLength: 20_000 })),
});

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength, default: '' });

const Report = Shape({
  url: text(2000),
  /** Milliseconds since 1970, or a date as text. */
  time: Unsafe<number | string>({ type: ['integer', 'string'] }),
  type: text(32),
  message: text(4000),
  stack: text(16_000),
  info: text(4000),
});

/** An entry of the local error log as it is uploaded, `product.md` §3. */
export type ErrorReport = Static<typeof Report>;

/** The most entries one upload may hold. */
export const mostReports = 200;

/** What a browser has noted of its own errors, as the family uploads it (`wire.md` §2.5); without a list it signs out, as one dialect does by POST. Served under `/api/blade-auth` as well. */
export const uploadErrors = post('/api/things-auth/oauth/logout', {
  title: ['上传错误日志', 'Upload errors'],
  who: 'open',
  input: Unsafe<ErrorReport[] | Record<string, never>>({ type: ['array', 'object'], maxItems: mostReports, items: Report, properties: {} }),
  reply: Done,
});
