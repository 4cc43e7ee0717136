import { logServerFields, logTimeFields } from '../contract/common-fields.ts';
import { entity } from '../contract/contract.ts';
import { field } from '../contract/field-traits.ts';
import { Code, Id, Nullable, Select, Text } from '../contract/fields.ts';
import type { LocalizedText } from '../text/text.ts';

/** One row before and after a write. An inserted row has no before, a deleted one no after. */
export interface LoggedChange {
  readonly entity: string;
  readonly id: string;
  readonly before?: Readonly<Record<string, unknown>> | null;
  readonly after?: Readonly<Record<string, unknown>> | null;
}

const outcomes = [
  [200, ['成功', 'Success']],
  [302, ['重定向', 'Redirected']],
  [400, ['请求有误', 'Bad request']],
  [401, ['未登录', 'Not signed in']],
  [403, ['被拒绝', 'Forbidden']],
  [404, ['不存在', 'Not found']],
  [405, ['方法不支持', 'Method not allowed']],
  [409, ['冲突', 'Conflict']],
  [413, ['内容过大', 'Too large']],
  [415, ['类型不支持', 'Unsupported media type']],
  [423, ['屏幕已锁定', 'Screen locked']],
  [428, ['待验证身份', 'Identity not confirmed']],
  [429, ['过于频繁', 'Too many requests']],
  [500, ['服务器异常', 'Server error']],
  [502, ['外部服务异常', 'External service error']],
  [503, ['不可用', 'Unavailable']],
  [504, ['外部服务超时', 'External service timeout']],
  [507, ['存储空间不足', 'Out of storage']],
] as const satisfies readonly (readonly [number, LocalizedText])[];

const tones = Object.fromEntries(outcomes.map(([status]) => [status, status < 400 ? 'good' : status < 500 ? 'warning' : 'danger'] as const));

const callFields = {
  id: Id(),
  ...logTimeFields,
  title: Text({ title: ['接口名称', 'Operation'], maxLength: 128, search: true, width: 150 }),
  createBy: Text({ title: ['用户', 'User'], maxLength: 64, search: true, width: 110 }),
  requestUri: Text({ title: ['路径', 'Path'], search: true, width: 270 }),
  method: Select({
    title: ['方法', 'Method'],
    search: true,
    options: [
      ['GET', ['查询', 'Read']],
      ['POST', ['写入', 'Write']],
    ],
    tones: { GET: 'neutral', POST: 'brand' },
  }),
  statusCode: Select({ title: ['结果', 'Result'], search: true, options: outcomes, tones }),
  time: Text({ title: ['耗时（毫秒）', 'Duration (ms)'], maxLength: 16, width: 120 }),
  remoteIp: Text({ title: ['来源地址', 'IP address'], maxLength: 64 }),
};

const detailFields = {
  methodClass: Text({ title: ['模块', 'Module'], maxLength: 128, list: false }),
  methodName: Text({ title: ['调用', 'Call'], maxLength: 128, list: false }),
  type: Text({ title: ['类型', 'Type'], maxLength: 8, list: false }),
  requestId: Text({ title: ['请求编号', 'Request ID'], maxLength: 64, list: false, copyable: true }),
  userAgent: Text({ title: ['浏览器', 'Browser'], maxLength: 512, list: false }),
  ...logServerFields,
};

const changesSchema = { type: 'array', items: { type: 'object', properties: { entity: { type: 'string' }, id: { type: 'string' }, before: {}, after: {} } } };

/** One logged API call: the caller, the request, the reply, and the rows it changed. */
export const ApiLogEntry = entity(
  'api_log',
  {
    ...callFields,
    params: Code({ title: ['参数', 'Parameters'], language: 'json' }),
    changes: Nullable(field<LoggedChange[]>('code', { title: ['数据变更', 'Changes'], list: false, language: 'json' }, changesSchema)),
    ...detailFields,
  },
  { versioned: false },
);

/** An API log entry as a list shows it, without the columns that can be long. */
export const ApiLogLine = entity('api_log', { ...callFields, ...detailFields }, { versioned: false });
