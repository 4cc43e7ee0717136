import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Processor, ServerContext } from '#server';
import { Integer, LongText, Nullable, Select, Text, traitsOf, Url } from '#shared/fields';
import { httpPermission } from '../../menus.ts';

const presetSeconds = 60;
const maxSeconds = 600;
const maxBytes = 64 * 1024;
const shownCharacters = 1000;
const presetStatus = '200-299';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

const headerLines = LongText({
  title: ['请求头', 'Headers'],
  maxLength: 8000,
  placeholder: ['Accept: application/json', 'Accept: application/json'],
  help: ['每行一个「名称: 值」；令牌与密码请填入「机密请求头」', 'One “Name: value” for each line. Put tokens and passwords into “Secret headers”'],
});

const Params = Type.Object({
  url: Url({ title: ['地址', 'Address'], help: ['内网地址须由部署放行（EGRESS_ALLOW）', 'Private addresses must be allowed by EGRESS_ALLOW'] }),
  method: Nullable(Select({ title: ['方法', 'Method'], options: methods.map((method) => [method, [method, method]] as const), default: 'GET' })),
  /** An object of names and values is accepted as well. */
  headers: Type.Optional(
    Type.Unsafe<string | Record<string, string> | null>({ ...headerLines, minLength: 0, type: ['string', 'object', 'null'], field: traitsOf(headerLines) }),
  ),
  body: Nullable(LongText({ title: ['内容', 'Body'], help: ['实例参数非空时替换此内容', 'Replaced by the instance parameters of a run, if any'] })),
  expectedStatus: Nullable(
    Text({
      title: ['期望状态码', 'Expected status'],
      maxLength: 100,
      pattern: '^[1-5]\\d\\d(-[1-5]\\d\\d)?(,[1-5]\\d\\d(-[1-5]\\d\\d)?)*$',
      placeholder: [presetStatus, presetStatus],
      help: ['如 200-299,404；其他状态码视为失败，重定向不跟随', 'Such as 200-299,404. Any other status is a failure, and redirects are not followed'],
    }),
  ),
  timeoutSeconds: Nullable(Integer({ title: ['超时', 'Time-out'], minimum: 1, maximum: maxSeconds, unit: ['秒', 's'], default: presetSeconds })),
});
type HttpCall = Static<typeof Params>;

/** Parses headers, one for each line; throws for a line that is none. */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    lines.filter(Boolean).map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? [];
      // The line itself may be secret, so it is not part of the message.
      if (name === undefined || value === undefined) throw new Error('A header is not of the form “Name: value”.');
      return [name.toLowerCase(), value];
    }),
  );
}

const namedHeaders = (headers: HttpCall['headers']) =>
  typeof headers === 'string'
    ? parseHeaders(headers)
    : Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));

const isExpected = (status: number, expected: string) =>
  expected.split(',').some((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return status >= from && status <= to;
  });

/** Calls an address through the egress guard and follows no redirect. All attempts of a run carry the same idempotency key, which reveals repetitions. */
export const httpCall = ({ egress }: Pick<ServerContext, 'egress'>): Processor => ({
  title: ['HTTP 调用', 'HTTP call'],
  help: ['按计划请求一个地址', 'Sends a request to an address'],
  params: Params,
  permission: httpPermission,
  validate(params) {
    const { url, headers } = JSON.parse(params) as HttpCall;
    egress.check(new URL(url));
    namedHeaders(headers);
  },
  async run(run) {
    const call = JSON.parse(run.params || '{}') as HttpCall;
    const url = new URL(call.url);
    egress.check(url);
    const method = call.method ?? 'GET';
    const secret = await run.readSecret();
    run.log('info', `${method} ${url.origin}${url.pathname}`);
    const startedAt = performance.now();
    const { status, text } = await egress.send(url, {
      method,
      headers: { 'idempotency-key': run.instanceId, ...namedHeaders(call.headers), ...parseHeaders(secret ?? '') },
      body: run.instanceParams || call.body || '',
      signal: run.signal,
      timeoutMs: (call.timeoutSeconds ?? presetSeconds) * 1000,
      maxBytes,
    });
    run.log('info', `HTTP ${status}, ${Math.round(performance.now() - startedAt)} ms`);
    run.log('debug', text.slice(0, shownCharacters));
    if (!isExpected(status, call.expectedStatus || presetStatus)) throw new Error(`HTTP ${status}: ${text.slice(0, shownCharacters)}`);
    return `HTTP ${status}`;
  },
});
