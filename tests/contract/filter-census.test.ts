import { beforeAll, expect } from '@rstest/core';
import type { TSchema } from 'typebox';
import type { Call, Entity } from '#shared/contract';
import { filterNames, isSecret } from '#shared/entity';
import { maskedKindOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { typeOfField } from '../../src/server/data/schema/field-type.ts';
import { atLeast } from '../support/checked-plugins.ts';
import type { Reply, TestServer } from '../support/test-server.ts';
import { sheetOf } from '../support/workbook.ts';
import { type NamedCall, readingCalls } from './census.ts';
import { contractServer, productTest, ruleTest } from './contract-server.ts';
import { readSamples } from './samples.ts';

let server: TestServer;
let headers: Record<string, string>;
let seeded: ReadonlyMap<string, string>;
/** Parameters that a list requires besides the filter, by path. */
const beside: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  const rows = await contract.seeded();
  const isRunning = (id: string) => server.host.running.some((plugin) => plugin.id === id);
  const transfer = isRunning('transfers') ? (await server.post('/api/blade-system/param/export', { format: 'csv' }, { headers })).data : undefined;
  seeded = transfer ? new Map([...rows, ['$transfer', transfer.id]]) : rows;
  for (const name of isRunning('dictionary') ? ['dict', 'dict-biz'] : []) {
    const [entry] = await server.sql(`select parent_id::text as above from ${name.replace('-', '_')} where parent_id <> 0 limit 1`);
    beside[`/api/blade-system/${name}/child-list`] = { parentId: String(entry?.above) };
  }
});

/** Lists of rows that have left a list read with the statement of that list, but no seeded row has left one. */
const isOfLeftRows = ({ path }: Call) => /\/(archived|recycle)-list$/.test(path);
const lists = () => readingCalls().filter(({ call }) => call.filterable && !isOfLeftRows(call));

type Row = Record<string, unknown> & { id: string; children?: Row[] };
const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);

const ask = ({ path }: Call, query: Record<string, string>): Promise<Reply> => server.get(path, { headers, query: { size: '200', ...beside[path], ...query } });

/** Returns the rows that a list answers, or the lines of the sheet for a download. */
async function rowsOf(call: Call, query: Record<string, string> = {}): Promise<Row[]> {
  const { code, msg, data, body, status } = await ask(call, query);
  if (call.download) return status === 200 ? (await sheetOf(body.bytes)).slice(1).map((line) => ({ id: JSON.stringify(line) })) : [];
  expect({ path: call.path, query, code, msg }).toEqual({ path: call.path, query, code: 200, msg });
  return flat(Array.isArray(data) ? data : data.records);
}

const isNothing = (value: unknown) => value === undefined || value === null || value === '';

/** Formats a value of the row for a filter; a list contributes one element. */
function filterValue(schema: TSchema | undefined, value: unknown): string {
  const isList = schema !== undefined && typeOfField(schema).kind === 'json';
  const [first] = isList && typeof value === 'string' ? value.split(',') : [value].flat();
  return String(first);
}

/** Returns a value of the same type that no row has, or the other value of a flag. */
function otherValue(schema: TSchema | undefined, value: string): string {
  const { kind } = schema ? typeOfField(schema) : { kind: 'text' };
  if (kind === 'flag') return value === 'true' ? 'false' : 'true';
  if (kind === 'time') return '1999-01-01 00:00:00';
  if (kind === 'day') return '1999-01-01';
  return kind === 'text' || kind === 'json' ? 'none of them' : '987654321';
}

/** Reads a value that the reply contains in masked form. */
async function storedValue({ filterable }: Call, name: string, { id }: Row): Promise<unknown> {
  const [row] = await server.sql(`select ${snakeCase(name)} as value from ${snakeCase((filterable as Entity).name)} where id = ${id}`);
  return row?.value;
}

/**
 * Describes how a list fails to apply one filter: the value of a row must find that row, and another value must find none of these rows, with or without a suffix.
 */
async function problemOf(call: Call, name: string, base: readonly Row[]): Promise<string | undefined> {
  const schema = call.filterable?.fields[name];
  const sample = name === 'tenantId' && !schema ? { tenantId: '000000' } : base.find((row) => !isNothing(row[name]));
  if (!sample) {
    const found = await rowsOf(call, { [`${name}_notnull`]: 'true' });
    return found.some((row) => row[name] === null || row[name] === undefined) ? `${name}_notnull finds rows without a value` : undefined;
  }
  const value = filterValue(schema, schema && maskedKindOf(schema) ? await storedValue(call, name, sample as Row) : sample[name as keyof typeof sample]);
  const equal = new Set((await rowsOf(call, { [`${name}_equal`]: value })).map(({ id }) => id));
  if (equal.size === 0) return `${name}_equal=${value} finds nothing`;
  const other = otherValue(schema, value);
  for (const filter of [name, `${name}_equal`])
    if ((await rowsOf(call, { [filter]: other })).some(({ id }) => equal.has(id))) return `${filter}=${other} finds a row whose ${name} is ${value}`;
  return undefined;
}

/** Checks a list that answers a sheet, whose lines do not name their fields: a value that no row has must leave it empty. */
async function problemOfSheet(call: Call, name: string, base: readonly Row[]): Promise<string | undefined> {
  const schema = call.filterable?.fields[name];
  const lines = await rowsOf(call, { [`${name}_equal`]: otherValue(schema, 'true') });
  return lines.length < base.length ? undefined : `${name}_equal is ignored`;
}

async function problemsOf({ name, call }: NamedCall): Promise<string[]> {
  const base = await rowsOf(call);
  if (base.length === 0) return [`${name}: the list has no row`];
  const problems: string[] = [];
  for (const filter of filterNames(call.filterable as Entity)) {
    const problem = await (call.download ? problemOfSheet : problemOf)(call, filter, base);
    if (problem) problems.push(`${name}: ${problem}`);
  }
  return problems;
}

ruleTest(
  'list-filter',
  'every list applies every filter that its contract declares',
  async () => {
    expect(lists().length).toBeGreaterThanOrEqual(atLeast(61));
    const problems: string[] = [];
    for (const list of lists()) problems.push(...(await problemsOf(list)));
    expect(problems).toEqual([]);
  },
  300_000,
);

type Parameters = Record<string, { type?: string | string[]; enum?: unknown[]; format?: string; pattern?: string }>;

/** Parameters common to all lists, which other tests cover. */
const ofLists = new Set(['current', 'size', 'ascs', 'descs', 'exactTotal']);

/** Values and exceptions that the plugins state beside their tests. */
const { values, together, unaffected } = readSamples();

function candidates(name: string, schema: Parameters[string]): string[] {
  const types = [schema.type].flat();
  const isId = name === 'ids' || schema.format === 'int64' || schema.pattern?.includes('d{1,19}') || types.includes('array');
  const generic = schema.enum
    ? schema.enum.map(String)
    : types.includes('boolean')
      ? ['true', 'false']
      : types.includes('integer')
        ? ['1', '2', '3']
        : schema.format === 'date'
          ? ['2026-01-01', '2026-01-05', '2026-01-09']
          : schema.format === 'wire-date-time'
            ? ['2026-02-02 00:00:00', '2026-02-03 05:00:00']
            : ['none of them', '00', '1'];
  return [...(name === 'tenantId' ? ['000000', '999999'] : []), ...(values[name] ?? []), ...(isId ? ['987654321987654321', ...seeded.values()] : generic)];
}

/** Returns the reply of a call as text without its time; a sheet as its lines, because its bytes contain the time too. */
async function outcomeOf(call: Call, query: Record<string, string>): Promise<string> {
  const { status, data, body } = await server.get(call.path, { headers, query: { ...beside[call.path], ...query } });
  return JSON.stringify([status, call.download && status === 200 ? await sheetOf(body.bytes) : data]).replace(/"(asOf|now)":"[^"]*"/g, '');
}

/** Returns true if two values of a parameter, or one value and its absence, lead to different replies. */
async function isHeeded({ name, call }: NamedCall, parameter: string): Promise<boolean> {
  const { properties, required = [] } = call.input as unknown as { properties: Parameters; required?: string[] };
  const of = (one: string) => candidates(one, properties[one] as Parameters[string]);
  const needed = Object.fromEntries(required.map((other) => [other, of(other)[0] as string]));
  const asked = Object.entries(together[`${name} ${parameter}`] ?? {}).map(([other, value]) => [other, seeded.get(value) ?? value]);
  const outcomes = new Set<string>();
  for (const value of [undefined, ...of(parameter)]) {
    const query = { ...needed, ...Object.fromEntries(asked), [parameter]: value };
    outcomes.add(await outcomeOf(call, Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined))));
    if (outcomes.size > 1) return true;
  }
  return false;
}

ruleTest(
  'read-parameter',
  'every read applies every parameter that its contract declares',
  async () => {
    const ignored: string[] = [];
    for (const { name, call } of readingCalls().filter(({ call }) => !isOfLeftRows(call)))
      for (const parameter of Object.keys((call.input as { properties?: Parameters }).properties ?? {})) {
        if (call.filterable && ofLists.has(parameter)) continue;
        // The history of one record is read page by page in a test of its own.
        if (call.path.endsWith('/history')) continue;
        if (!(await isHeeded({ name, call }, parameter))) ignored.push(`${name} ${parameter}`);
      }
    expect(ignored.sort()).toEqual(Object.keys(unaffected).sort());
  },
  300_000,
);

/** Returns a page without the range of time that its search has covered, which ends at the time of the call. */
const withoutRange = (data: Reply['data']) => (Array.isArray(data) ? data : { ...data, searched: undefined });

const answerOf = (path: string, query: Record<string, string>, as = headers) => server.get(path, { headers: as, query });

ruleTest('list-filter', 'a list refuses other filters: unknown names, secrets, the mark of deleted rows, and a tenant where rows have none', async () => {
  for (const { name, call } of lists().filter(({ call }) => !call.download)) {
    const { fields, owner } = call.filterable as Entity;
    const secrets = Object.keys(fields).filter((field) => isSecret(fields[field] as TSchema));
    const tenant = owner === 'platform' && !Object.hasOwn(fields, 'tenantId') ? ['tenantId'] : [];
    for (const refused of [...secrets, ...tenant, 'isDeleted', 'unknown'])
      for (const filter of [refused, `${refused}_equal`])
        expect({ name, filter, ...(await ask(call, { [filter]: '1' })) }).toMatchObject({ name, filter, code: 400 });
  }
});

ruleTest('list-filter', 'a filter by tenant stays within the caller’s tenant: an existing other tenant and an unknown one get the same answer', async () => {
  await server.createTenant('200002');
  await server.createUser({ account: 'foreigner', codes: ['role', 'post'], roleAlias: 'admin', tenantId: '200002' });
  const foreigner = await server.signIn('foreigner', '200002');
  for (const { name, call } of lists().filter(({ call }) => call.filterable?.owner === 'tenant' && !call.download)) {
    for (const filter of ['tenantId', 'tenantId_equal', 'tenantId_likeright']) {
      const [there, nowhere] = [await ask(call, { [filter]: '200002' }), await ask(call, { [filter]: '999999' })];
      expect({ name, filter, code: there.code, data: withoutRange(there.data) }).toEqual({ name, filter, code: 200, data: withoutRange(nowhere.data) });
      expect({ name, filter, rows: (there.data.records ?? there.data).length }).toEqual({ name, filter, rows: 0 });
    }
  }
  const path = '/api/oms-system/role/list';
  expect((await answerOf(path, { tenantId: '000000' }, foreigner)).data).toEqual([]);
  expect((await answerOf(path, { tenantId: '200002' }, foreigner)).data).toHaveLength(1);
  expect((await answerOf(path, { tenantId_notequal: '200002' }, foreigner)).data).toEqual([]);
});

productTest('parameters of the specification filter the lists that they are sent to', async () => {
  const records = async (path: string, query: Record<string, string>) => ((await answerOf(path, query)).data.records as Row[]).length;
  const advertisers = '/api/oms-system/base/advertiserlist';
  const [advertiser] = await server.sql('select companyid::text as company from advertiser');
  expect(await records(advertisers, { companyid: String(advertiser?.company), isadmin: '0' })).toBe(1);
  expect(await records(advertisers, { companyid: '999', isadmin: '0' })).toBe(0);
  for (const path of ['/api/oms-system/user/userlist', '/api/oms-system/user/alluserlist']) {
    expect(await records(path, { deptId: seeded.get('$dept') as string })).toBe(0);
    expect(await records(path, { roleId: seeded.get('$firstRole') as string })).toBe(1);
    expect(await records(path, { roleId_equal: '999' })).toBe(0);
  }
  for (const path of ['/api/blade-system/data-scope/list', '/api/blade-system/api-scope/list']) {
    expect(await records(path, { menuId: '7' })).toBe(1);
    expect(await records(path, { menuId: '999' })).toBe(0);
  }
  expect(await records('/api/things-resource/depart/getList', { pid: '0' })).toBe(1);
  expect(await records('/api/things-resource/depart/getList', { pid: '999' })).toBe(0);
});

productTest('role, department and page pickers return the requested entries', async () => {
  const ids = async (path: string, query: Record<string, string>) => ((await answerOf(path, query)).data as Row[]).map(({ id }) => id);
  const [first, other, dept] = ['$firstRole', '$role', '$dept'].map((name) => seeded.get(name) as string) as [string, string, string];
  expect(await ids('/api/blade-system/role/select', { roleId: first })).toEqual([first]);
  expect((await ids('/api/blade-system/role/select', { roleId: `${first},${other}` })).sort()).toEqual([first, other].sort());
  expect(await ids('/api/blade-system/role/select', { userId: seeded.get('$admin') as string, roleId: other })).toEqual([]);
  expect(await ids('/api/blade-system/dept/select', { deptId: dept })).toEqual([dept]);
  expect(await ids('/api/blade-system/dept/select', { deptId: '999' })).toEqual([]);
  expect((await ids('/api/things-system/menu/tree', { tenantId: '000000' })).length).toBeGreaterThan(1);
  expect(await ids('/api/things-system/menu/tree', { tenantId: '999999' })).toEqual([]);
});
