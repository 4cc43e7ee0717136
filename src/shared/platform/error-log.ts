import type { Static } from 'typebox';
import * as Type from 'typebox';
import { logServerFields, logTimeFields } from '../contract/common-fields.ts';
import { entity, NoContent, post } from '../contract/contract.ts';
import { Code, Id, Integer, LongText, Nullable, Text } from '../contract/fields.ts';

const brief = {
  id: Id(),
  ...logTimeFields,
  exceptionName: Nullable(Text({ title: ['异常', 'Error'], maxLength: 255, search: true })),
  requestUri: Text({ title: ['地址', 'Address'], maxLength: 512, search: true, width: 320 }),
  method: Text({ title: ['方法', 'Method'], maxLength: 8, width: 96 }),
  createBy: Nullable(Text({ title: ['用户', 'User'], maxLength: 64, search: true })),
  remoteIp: Text({ title: ['来源地址', 'IP address'], maxLength: 64 }),
  ...logServerFields,
  userAgent: Nullable(Text({ title: ['浏览器', 'Browser'], maxLength: 512, list: false })),
  methodClass: Text({ title: ['模块', 'Module'], maxLength: 128, list: false }),
  methodName: Nullable(Text({ title: ['操作', 'Operation'], maxLength: 255, list: false })),
  fileName: Nullable(Text({ title: ['文件', 'File'], maxLength: 255, list: false })),
  lineNumber: Nullable(Integer({ title: ['行号', 'Line'], list: false })),
  time: Nullable(Text({ title: ['耗时（毫秒）', 'Duration (ms)'], maxLength: 16, list: false })),
};

const long = {
  params: Nullable(LongText({ title: ['参数', 'Parameters'], list: false })),
  message: Nullable(LongText({ title: ['信息', 'Message'], list: false })),
  stackTrace: Nullable(Code({ title: ['堆栈', 'Stack'], maxLength: 20_000 })),
};

/** An error that occurred on the server or in a browser. */
export const ErrorLogEntry = entity('error_log', { ...brief, ...long }, { versioned: false });

/** An error as a list shows it, without the columns that can be long. */
export const ErrorLogLine = entity('error_log', brief, { versioned: false });

const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', maxLength, default: '' });

const Report = Type.Object({
  url: text(2000),
  /** Time in milliseconds since 1970, or as date text. */
  time: Type.Unsafe<number | string>({ type: ['integer', 'string'] }),
  type: text(32),
  message: text(4000),
  stack: text(16_000),
  info: text(4000),
});

/** Entry of a console's local error log, as it is uploaded. */
export type ErrorReport = Static<typeof Report>;

/** Maximum number of entries of one upload. */
export const maxReports = 200;

/**
 * Uploads the errors that a browser has recorded, as BladeX-compatible clients do. A request without a list signs out, since some clients sign out by POST. Also
 * served under `/api/blade-auth`.
 */
export const uploadErrors = post('/api/things-auth/oauth/logout', {
  title: ['上传错误日志', 'Upload errors'],
  access: 'open',
  input: Type.Unsafe<ErrorReport[] | Record<string, never>>({ type: ['array', 'object'], maxItems: maxReports, items: Report, properties: {} }),
  reply: NoContent,
});
