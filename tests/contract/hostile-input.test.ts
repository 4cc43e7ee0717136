import { Readable } from 'node:stream';
import { beforeAll, expect } from '@rstest/core';
import type { TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { problems } from '#shared/errors';
import { wireFormats } from '#shared/formats';
import { localize } from '#shared/text';
import { htmlLimits, htmlProblems } from '../../src/server/data/schema/safe-html.ts';
import { collectParams, type Validate, validInput } from '../../src/server/host/serving/input.ts';
import { inputLimits, inputProblems, maxAnonymousBodyBytes } from '../../src/server/platform/http/body-limits.ts';
import { sample } from '../kit/fixtures.ts';
import { atLeast, isEveryPluginChecked } from '../support/checked-plugins.ts';
import { longestTurn, shortest, startCpuClock } from '../support/event-loop-delay.ts';
import type { TestServer } from '../support/test-server.ts';
import { zipOf } from '../support/zip.ts';
import { census } from './census.ts';
import { contractServer, productTest, ruleTest } from './contract-server.ts';

type Context = (path: string, options: { recursive: boolean; regExp: RegExp }) => { (file: string): Record<string, unknown>; keys(): string[] };
const shared = (import.meta as unknown as { webpackContext: Context }).webpackContext('../../src/shared', { recursive: true, regExp: /\/[\w-]+\.ts$/ });

interface Property {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Property;
  readonly properties?: Readonly<Record<string, Property>>;
}

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'method' in value && 'input' in value && 'reply' in value;
const callsWithin = (value: unknown, depth = 0): Call[] =>
  isCall(value) ? [value] : depth < 2 && typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => callsWithin(one, depth + 1)) : [];

/** Returns every call of the checked plugins and, where all are, of the kernel. */
const everyCall = (): Call[] => [
  ...new Set([...(isEveryPluginChecked ? shared.keys().flatMap((file) => callsWithin(shared(file))) : []), ...census().calls.map(({ call }) => call)]),
];

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  ({ server, headers } = await contractServer());
});

const megabyte = 1024 * 1024;
/** JSON of a valid size in the shape that is most expensive to parse; it calibrates the limit to the machine. */
const measure = JSON.stringify({ ids: Array.from({ length: 50_000 }, () => 1), text: 'x'.repeat(900_000) });

/** Returns the median processor time, in milliseconds, that the machine takes to parse the largest valid body. */
function calibrated(): number {
  const rounds = Array.from({ length: 5 }, () => {
    const elapsed = startCpuClock();
    JSON.parse(measure);
    return elapsed();
  });
  return rounds.sort((one, other) => one - other)[2] ?? 0;
}

/** Returns the time limit for one turn of the event loop: 50 ms of processor time, or more on a slow machine. */
const allowed = () => Math.max(50, 10 * calibrated());

productTest('the measurement detects a block of 100 ms at any time, and ignores idle time', async () => {
  const block = () => {
    const elapsed = startCpuClock();
    while (elapsed() < 100);
  };
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const begun: Readonly<Record<string, () => Promise<unknown>>> = {
    'at once': async () => block(),
    'after a promise': () => Promise.resolve().then(block),
    'in the first turn': () => new Promise((done) => setImmediate(() => done(block()))),
    later: () => pause(20).then(block),
    'at the end, unawaited': async () => void setImmediate(block),
  };
  for (const [name, work] of Object.entries(begun)) expect(await longestTurn(work), name).toBeGreaterThan(90);
  expect(await longestTurn(() => pause(200))).toBeLessThan(50);
});

const long = 100_000;
const bricks = [
  'a',
  '0',
  '-',
  ' ',
  '.',
  '/',
  'a.',
  'a@',
  'a@a.',
  '1,',
  '0-',
  '/a',
  ':',
  '://',
  'http://',
  '*',
  '* ',
  '0 0 ',
  'L,',
  '[',
  '{"a":',
  '\n',
  '#',
  '?',
  '%',
  '"',
  '<',
  'é',
  '中',
];
const ends = ['', '!', '\n', '@'];
const hostileTexts = bricks.flatMap((brick) => ends.map((end) => brick.repeat(Math.ceil(long / brick.length)).slice(0, long) + end));

ruleTest('input-pattern', 'patterns and formats of all calls take linear time', async () => {
  const checkedFields = new Map<string, Property>();
  const collect = (property: Property): void => {
    if (property.pattern !== undefined || property.format !== undefined)
      checkedFields.set(JSON.stringify([property.pattern, property.format, property.maxLength]), property);
    for (const one of [property.items, ...Object.values(property.properties ?? {})]) if (one) collect(one);
  };
  for (const { input } of everyCall()) collect(input as Property);
  expect(checkedFields.size).toBeGreaterThanOrEqual(atLeast(11));
  const limit = allowed();
  const slow: string[] = [];
  for (const { pattern, format } of checkedFields.values()) {
    const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
    for (const text of hostileTexts) {
      const took = await shortest(() => {
        const elapsed = startCpuClock();
        expression?.test(text);
        if (format !== undefined) wireFormats[format]?.(text);
        return elapsed();
      });
      if (took > limit)
        slow.push(
          `the ${pattern === undefined ? `format ${format}` : `pattern ${pattern}`} takes ${Math.round(took)} ms for a long text that begins "${text.slice(0, 12)}", ` +
            `${Math.round(limit)} ms are allowed: two adjacent or nested repetitions match the same characters, as in (a+)+ or .*.*`,
        );
    }
  }
  expect(slow).toEqual([]);
});

const text = Buffer.alloc(megabyte, 'x').toString();
const commas = Buffer.alloc(megabyte, '1,').toString();

/** Expensive inputs; each call creates a new one, because parsing coerces values in place. */
const heavy: Readonly<Record<string, () => unknown>> = {
  text: () => text,
  commas: () => commas,
  list: () => Array.from({ length: inputLimits.values }, (_, each) => each),
  objects: () => Array.from({ length: inputLimits.values }, () => ({})),
  texts: () => Array.from({ length: 10_000 }, (_, each) => String(each).padStart(90, 'x')),
  nested: () => JSON.parse('['.repeat(inputLimits.depth) + ']'.repeat(inputLimits.depth)),
  names: () => Object.fromEntries(Array.from({ length: inputLimits.names }, (_, each) => [`n${each}`, 1])),
};

/** Keywords of a schema that describe a field rather than its values. */
const worded = new Set(['title', 'description', 'field', 'default']);

ruleTest('input-time', 'no input of any call takes long to parse', async () => {
  const limit = allowed();
  const seen = new Set<string>();
  const slow: string[] = [];
  const read = async (call: Call, name: string, kind: string) => {
    const validate = validatorOf(call.input);
    const took = await shortest(() => {
      const value = heavy[kind]?.();
      const elapsed = startCpuClock();
      try {
        validInput(call, collectParams(call, {}, name === '' ? value : { [name]: value }), () => validate);
      } catch {
        // Only the time counts, not the result.
      }
      return elapsed();
    });
    const subject = name === '' ? `the input of ${call.path}` : `"${name}" of ${call.path}`;
    if (took > limit)
      slow.push(
        `${subject} takes ${Math.round(took)} ms to parse a hostile value (${kind}), ${Math.round(limit)} ms are allowed. Give its schema a maxLength or maxItems, and a pattern without nested repetition`,
      );
  };
  for (const call of everyCall()) {
    const { type, additionalProperties, properties = {} } = call.input as Property & { additionalProperties?: unknown };
    const wholes = [['', { type, additionalProperties, filters: call.filterable !== undefined, list: 'items' in call.input ? call.path : '' }] as const];
    for (const [name, property] of [...wholes, ...Object.entries(properties)]) {
      const key = JSON.stringify([name === '', property], (key, value) => (worded.has(key) && typeof value !== 'boolean' ? undefined : value));
      if (seen.has(key)) continue;
      seen.add(key);
      const types = [(property as Property).type ?? 'array'].flat();
      const takesList = types.includes('array') || types.includes('object');
      const kinds = name === '' ? ['names', 'objects', 'list'] : takesList ? Object.keys(heavy) : types.includes('string') ? ['text'] : ['commas'];
      for (const kind of kinds)
        await read({ ...call, input: name === '' ? call.input : ({ type: 'object', properties: { [name]: property } } as never) }, name, kind);
    }
  }
  expect(seen.size).toBeGreaterThanOrEqual(atLeast(101));
  expect(slow).toEqual([]);
});

function validatorOf(input: TSchema): Validate {
  return (server.app as unknown as { validatorCompiler: (of: object) => Validate }).validatorCompiler({ schema: input });
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const filled = (brick: string, size: number, before = '', after = '') =>
  before + brick.repeat(Math.floor((size - before.length - after.length) / brick.length)) + after;
const distinctNames = (size: number) =>
  `{${Array.from({ length: Math.floor(size / 12) }, (_, each) => `"${each.toString(36).padStart(6, 'n')}":1`).join(',')}}`;

/** Bodies of this size that are most expensive to parse or to traverse. */
const hostileBodies = (size: number): readonly (readonly [kind: string, type: string, body: string])[] => [
  ['ids', json, filled('1,', size, '{"ids":[', '1]}')],
  ['objects', json, filled('{},', size, '{"ids":[', '{}]}')],
  ['reports', json, filled('{},', size, '[', '{}]')],
  ['depth', json, filled('[', size / 2) + filled(']', size / 2)],
  ['objects in objects', json, filled('{"a":', size)],
  ['names', json, distinctNames(size)],
  ['text', json, filled('\\u0000', size, '{"id":"', '"}')],
  ['lone brackets', json, filled(']', size)],
  ['open text', json, filled('\\"', size, '{"')],
  ['form', form, filled('a=1&', size)],
  ['form names', form, distinctNames(size).replaceAll(/["{}]/g, '').replaceAll(',', '&').replaceAll(':', '=')],
  ['form ids', form, filled('ids=1&', size)],
  ['form commas', form, filled('1,', size, 'ids=')],
  ['escapes', form, filled('%E4', size, 'ids=')],
];

const send = (url: string, type: string, payload: string, as: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, payload, headers: { ...as, 'content-type': type, 'accept-language': 'en' } });

productTest('no body of a signed-in caller blocks other requests', async () => {
  const limit = allowed();
  const slow: object[] = [];
  for (const url of ['/api/things-auth/oauth/logout', '/api/blade-system/param/remove']) {
    // Signing out ends the session.
    const as = url.endsWith('logout') ? await server.signIn() : headers;
    for (const [kind, type, body] of hostileBodies(megabyte)) {
      const took = await shortest(() => longestTurn(() => send(url, type, body, as)));
      if (took > limit) slow.push({ url, kind, took });
    }
  }
  expect(slow).toEqual([]);
});

productTest('no error report blocks other requests, with any stack', async () => {
  // The embedded database runs in this process, so its cost for a normal stack of the same length is added to the limit.
  const reports = (stack: string, url: string) => Array.from({ length: 4 }, () => ({ url, time: 1, type: 'error', message: '', stack, info: '' }));
  const delayOf = (stack: string, url: string) =>
    shortest(() => longestTurn(() => send('/api/things-auth/oauth/logout', json, JSON.stringify(reports(stack, url)), headers)));
  const limit = allowed() + (await delayOf(filled('    at run (a.js:1:1)\n', 15_999), '/'));
  for (const brick of ['a', 'http://', 'assets/', ':1', 'assets/a.js:1', 'token ']) {
    const took = await delayOf(filled(brick, 15_999), `${'?'.repeat(1998)}\n`);
    expect({ brick, took, isSlow: took > limit }).toMatchObject({ brick, isSlow: false });
  }
});

productTest('long queries and fields beside an upload block no other request', async () => {
  const limit = allowed();
  const queries = [filled('a=1&', 15_000), filled('ids=1&', 15_000), filled('1,', 15_000, 'ids='), filled('%E4%B8%AD', 15_000, 'paramName=')];
  for (const query of queries) {
    const took = await shortest(() => longestTurn(() => server.app.inject({ method: 'GET', url: `/api/blade-system/param/list?${query}`, headers })));
    expect({ query: query.slice(0, 12), isSlow: took > limit }).toEqual({ query: query.slice(0, 12), isSlow: false });
  }
  const fields = Object.fromEntries(Array.from({ length: 19 }, (_, each) => [`field${each}`, '1,'.repeat(49_000)]));
  const took = await shortest(() => longestTurn(() => server.upload('/api/file/uploadFile', { name: 'a.txt', content: 'a', fields }, { headers })));
  expect(took).toBeLessThan(limit);
});

const idCount = 20_000;
/** Texts of which one matches most patterns of the contract. */
const words = ['1', 'sample', 'Sample', 'SAMPLE', 'a1', '/sample', '/api/sample/*', 'a.b', '127.0.0.1', '1900000001', 'wxsample', 'https://example.com', '*'];

interface Full extends Property {
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
}

/** Builds a value at the limits of its schema: texts of maximum length, lists of at most `count` entries. */
function fullest(schema: Full, count: number, at = 0): unknown {
  const { maxItems = count, maxLength = long, items, format, pattern } = schema;
  const type = [schema.type ?? 'object'].flat()[0];
  if (type === 'array') return Array.from({ length: Math.min(maxItems, count) }, (_, each) => fullest(items ?? {}, count, each));
  if (type === 'object') return fullestOf(schema, at === 0 ? count : 0);
  const text = String(at).padStart(Math.min(maxLength, at === 0 ? long : 24), 'x');
  if (schema.enum || type !== 'string') return sample({ properties: { one: { ...schema, type } }, required: ['one'] } as never).one;
  if (format === 'int64') return String(10 ** 15 + at);
  if (format === 'phone') return String(13_800_000_000 + at);
  if (format === 'json') return `[${'1,'.repeat(Math.min(maxLength, long) / 2 - 2)}1]`;
  if (format === 'link' || format === 'uri') return `https://example.com/${text}`.slice(0, maxLength);
  if (format === 'cron') return '0 0 * * *';
  const matches = (one: string) => pattern === undefined || new RegExp(pattern, 'u').test(one);
  return format ? sample({ properties: { one: { ...schema, type } }, required: ['one'] } as never).one : matches(text) ? text : words.find(matches);
}

/** Builds an object without a row id, so that the call inserts. */
function fullestOf({ properties = {}, required = [] }: Full, count: number): Record<string, unknown> {
  const filled = Object.entries(properties).filter(([name]) => name !== 'id' || required.includes(name));
  return Object.fromEntries(filled.map(([name, property]) => [name, fullest(property, count)]));
}

function commasIn(body: string): number {
  let count = 0;
  for (let at = body.indexOf(','); at >= 0; at = body.indexOf(',', at + 1)) count += 1;
  return count;
}

/** Builds the largest body of a call that the limits accept. */
function fullestBody({ input }: Call): string {
  for (const count of [idCount, 10_000, 1000, 100]) {
    const body = JSON.stringify(fullestOf(input as Full, count));
    if (body.length < megabyte && commasIn(body) < inputLimits.values) return body;
  }
  return JSON.stringify(sample(input));
}

ruleTest(
  'input-time',
  'no write blocks other requests with the largest input that its schema accepts',
  async () => {
    const limit = allowed();
    const slow: string[] = [];
    let reached = 0;
    const seen = new Set<string>();
    for (const call of everyCall().filter(({ method, upload, raw }) => method === 'POST' && !upload && !raw)) {
      // These calls are the same on every screen.
      const [verb] = /[^/]*$/.exec(call.path) ?? [];
      if (verb !== undefined && ['import', 'import-mapping', 'export'].includes(verb)) {
        if (seen.has(verb)) continue;
        seen.add(verb);
      }
      const body = fullestBody(call);
      let status = 0;
      const took = await shortest(() =>
        longestTurn(async () => {
          status = (await send(call.path, json, body, headers)).statusCode;
        }),
      );
      // Some calls end the session, lock it or remove its permissions.
      if (status === 401 || status === 423) headers = await server.signIn();
      if (status !== 400 && status !== 413) reached += 1;
      if (took > limit)
        slow.push(
          `${call.path} keeps all other requests waiting for ${Math.round(took)} ms (${Math.round(limit)} ms are allowed) while it handles its largest input, ` +
            `${Math.ceil(body.length / 1024)} kB, answered with ${status}. Bound lists and texts in its schema, such as { maxItems: 1000 }, ` +
            'handle many rows in one statement instead of one each, or let others run between parts with await setImmediate() of node:timers/promises',
        );
    }
    expect(reached).toBeGreaterThanOrEqual(atLeast(150));
    expect(slow).toEqual([]);
  },
  120_000,
);

productTest(
  'formatted text blocks no other request; too complex text is refused with the name of its field',
  async () => {
    const publish = async (brick: string) => {
      const content = filled(brick, long);
      const body = JSON.stringify({ title: 'a', category: '1', releaseTime: '2026-01-01 00:00:00', content });
      let reply = { statusCode: 0, body: '' };
      const took = await shortest(() =>
        longestTurn(async () => {
          reply = await send('/api/blade-desk/notice/submit', json, body, headers);
        }),
      );
      return { took, status: reply.statusCode, ...(JSON.parse(reply.body) as { msg: string; field?: string }) };
    };
    /** Returns the time of plain text: the embedded database runs in this process, so its cost is added to the limits. It is measured beside each text, as the machine is more or less busy. */
    const plainMs = async () => {
      const { took, ...reply } = await publish('x');
      expect(reply).toMatchObject({ status: 200 });
      return took;
    };
    const tooManyElements = localize(htmlProblems.tooManyElements.message, 'en', { count: htmlLimits.elements });
    const tooDeep = localize(htmlProblems.tooDeep.message, 'en', { depth: htmlLimits.depth });
    const tooManyTextChunks = localize(htmlProblems.tooManyTextChunks.message, 'en', { count: htmlLimits.textChunks });
    const refused = { '<b>': tooDeep, '<b></i>': tooDeep, '<svg>': tooDeep, '<br>': tooManyElements, '<p>': tooManyElements, '<': tooManyTextChunks };
    for (const [brick, msg] of Object.entries(refused)) {
      const limit = allowed() + (await plainMs());
      const { took, ...reply } = await publish(brick);
      expect({ ...reply, brick, took, isSlow: took > limit }).toMatchObject({ brick, status: 400, field: 'content', msg, isSlow: false });
    }
    for (const brick of ['<script>', '&', '&lt', '< ', '<!--', '<a ', '<a a=""', '<p>0123456789 0123456789</p>']) {
      // Escaping makes a text up to five times as long before the database stores it.
      const limit = allowed() + 5 * (await plainMs());
      const { took, ...reply } = await publish(brick);
      expect({ ...reply, brick, took, isSlow: took > limit }).toMatchObject({ brick, status: 200, isSlow: false });
    }
  },
  60_000,
);

const boundary = '----marquee-test';

function formWith(content: Buffer): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="sheet.csv"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Sends a form in chunks, as a network connection does. */
function sendInPieces(url: string, whole: Buffer) {
  async function* pieces() {
    for (let at = 0; at < whole.length; at += 65_536) {
      yield whole.subarray(at, at + 65_536);
      await new Promise(setImmediate);
    }
  }
  const as = { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}`, 'accept-language': 'en' };
  return server.app.inject({ method: 'POST', url, payload: Readable.from(pieces()), headers: as });
}

const workbookOf = (rows: string) =>
  zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="a" sheetId="1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });

// Sheets are read by the kernel alone, whatever plugins there are.
productTest(
  'no uploaded sheet blocks other requests, and a sheet above the limits is refused',
  async () => {
    const limit = allowed();
    // Parsed in one turn, each of these sheets would take several times the limit.
    const size = 4 * megabyte;
    const [preview, whole] = ['/api/oms-system/user/import-preview', '/api/blade-system/user/import-user'];
    const cell = '<c><v>1</v></c>';
    const text = `<row><c t="inlineStr"><is><t>${'x'.repeat(size)}</t></is></c></row>`;
    const sheets: readonly (readonly [name: string, content: Buffer, reply: RegExp, urls: readonly string[]])[] = [
      ['rows', Buffer.from(`account,name,phone\n${'haishan,海山,13800000000\n'.repeat(40_000)}`), /"total":40000/, [preview]],
      ['rows of all widths', Buffer.from(`a\n${'1,2\n'.repeat(10_000)}`), /"total":10000/, [preview]],
      ['long texts', Buffer.from(`account,roleId,sex\n${`a,${'1;'.repeat(250_000)},${'x'.repeat(400_000)}\n`.repeat(10)}`), /"total":10/, [preview]],
      ['commas', Buffer.alloc(size, ','), /up to 200 columns/, [preview, whole]],
      ['quotes', Buffer.alloc(size, '"'), /The file cannot be read/, [preview, whole]],
      ['lines', Buffer.alloc(size, '\n'), /has no rows/, [preview, whole]],
      ['cells', await workbookOf(`<row>${cell.repeat(200)}</row>`.repeat(2000)), /"total":1999/, [preview]],
      ['a row without end', await workbookOf(`<row>${cell.repeat(500_000)}</row>`), /has no rows/, [preview, whole]],
      ['a text without end', await workbookOf(text), /The file cannot be read/, [preview]],
      ['empty rows', await workbookOf('<row/>'.repeat(200_000)), /has no rows/, [preview]],
    ];
    for (const [name, content, reply, urls] of sheets) {
      const sheet = formWith(content);
      for (const url of urls) {
        let body = '';
        const took = await shortest(() =>
          longestTurn(async () => {
            body = (await sendInPieces(url, sheet)).body;
          }),
        );
        const message = `${name} ${url}: ${took} ms`;
        expect(body.slice(0, 300), message).toMatch(reply);
        expect(took, message).toBeLessThan(limit);
        expect(body.length, message).toBeLessThan(50_000);
      }
    }
  },
  120_000,
);

productTest('a caller without a session sends at most 16 kB to any open call, declared or not', async () => {
  const open = everyCall().filter(({ access: who, method, upload }) => who === 'open' && method === 'POST' && !upload);
  expect(open.length).toBeGreaterThan(4);
  for (const { path } of open) {
    const long = filled('1,', maxAnonymousBodyBytes + 1024, '{"ids":[', '1]}');
    const refused = await send(path, json, long);
    expect({ path, status: refused.statusCode }).toEqual({ path, status: 413 });
    const chunked = await server.app.inject({ method: 'POST', url: path, payload: streamOf(long), headers: { 'content-type': json } });
    expect({ path, status: chunked.statusCode }).toEqual({ path, status: 413 });
  }
  expect((await send('/api/things-auth/oauth/logout', json, filled('1,', maxAnonymousBodyBytes - 8, '{"ids":[', '1]}'))).statusCode).toBe(200);
});

productTest('the content of a body is limited, and the refusal names the limit in the language of the caller', async () => {
  const url = '/api/blade-system/param/remove';
  const values = (count: number) => `{"ids":[${Array.from({ length: count }, () => 1).join(',')}]}`;
  const [many, deep, names] = [
    await send(url, json, values(50_001), headers),
    await send(url, json, '['.repeat(65), headers),
    await send(url, json, distinctNames(100_000), headers),
  ];
  expect([many.statusCode, deep.statusCode, names.statusCode]).toEqual([413, 400, 413]);
  expect(many.json().msg).toBe(localize(inputProblems.tooManyValues.message, 'en', { count: 50_000 }));
  expect(deep.json().msg).toBe(localize(inputProblems.tooDeep.message, 'en', { depth: 64 }));
  expect(names.json().msg).toBe(localize(inputProblems.tooManyNames.message, 'en', { count: 2_000 }));
  const chinese = await server.post(url, { ids: Array.from({ length: 50_001 }, () => 1) }, { headers });
  expect(chinese.msg).toBe(localize(inputProblems.tooManyValues.message, 'zh', { count: 50_000 }));
  expect((await send(url, json, JSON.stringify({ ids: ['1'], note: '{[,:'.repeat(100_000) }), headers)).json().msg).not.toBe(
    localize(problems.tooLarge.message, 'en'),
  );
});

productTest('undeclared input of a call is not read', async () => {
  const logout = await send('/api/things-auth/oauth/logout', json, JSON.stringify({ ids: [2 ** 60], text: 'a\0' }));
  expect(logout.statusCode).toBe(200);
});

function streamOf(text: string): Readable {
  return Readable.from([Buffer.from(text.slice(0, 8000)), Buffer.from(text.slice(8000))]);
}
