import { afterAll, beforeAll, expect, test } from '@rstest/core';
import Schema from 'typebox/schema';
import { plugins } from '#deployment/server';
import type { Call } from '#shared/contract';
import { sample } from '../kit/fixtures.ts';
import { openTestServer, password, type TestServer } from '../support/test-server.ts';
import { readingCalls } from './census.ts';

let server: TestServer;
let headers: Record<string, string>;
let bladeHeaders: Record<string, string>;
let dictionaryId: string;

beforeAll(async () => {
  server = await openTestServer({ plugins });
  headers = await server.signIn();
  const saber = { clientId: 'saber', clientSecret: 'Quiet-Harbour-71', authorizedGrantTypes: 'password', compatibility: 'bladex' };
  await server.post('/api/blade-system/client/submit', saber, { headers });
  const basic = { authorization: `Basic ${btoa(`${saber.clientId}:${saber.clientSecret}`)}` };
  const granted = await server.post('/api/blade-auth/token', { grantType: 'password', account: 'admin', password }, { headers: basic });
  bladeHeaders = { 'blade-auth': `bearer ${granted.data.accessToken}` };
  dictionaryId = (await server.get('/api/blade-system/dict/parent-list', { headers })).data.records[0].id;
});
afterAll(() => server.stop());

type Row = { id: string; children?: Row[]; hasChildren?: boolean };
const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);
const asked = async (call: Pick<Call, 'path'>, query: Record<string, string> = {}, as = headers) => {
  const { code, msg, data } = await server.get(call.path, {
    headers: as,
    query: { ...(call.path.endsWith('child-list') ? { parentId: dictionaryId } : {}), ...query },
  });
  expect({ path: call.path, code, msg }).toMatchObject({ code: 200 });
  return data;
};

/** Returns the lists that answer a tree, and a page of rows on request. */
const trees = () => readingCalls().filter(({ call }) => call.page);

test('the lists of trees are those of roles, departments, menus, dictionaries, categories and the pages of scopes', () => {
  expect(
    trees()
      .map(({ call }) => call.path)
      .sort(),
  ).toEqual([
    '/api/blade-system/api-scope/pages',
    '/api/blade-system/data-scope/pages',
    '/api/blade-system/dept/list',
    '/api/blade-system/dict-biz/child-list',
    '/api/blade-system/dict-biz/list',
    '/api/blade-system/dict/child-list',
    '/api/blade-system/dict/list',
    '/api/blade-system/menu/list',
    '/api/blade-system/menu/menu-list',
    '/api/oms-system/base/category/list',
    '/api/oms-system/role/list',
  ]);
});

test('a list of a tree returns the tree, and one page of its rows if the request names a page', async () => {
  for (const { name, call } of trees()) {
    const all = await asked(call);
    expect(Schema.Check(call.reply as object, all), `${name} answered ${JSON.stringify(all)}`).toBe(true);
    const rows = flat(all);
    const first = await asked(call, { current: '1', size: '2' });
    expect(Schema.Check(call.page as object, first), `${name} answered ${JSON.stringify(first)}`).toBe(true);
    expect({ name, ...first }).toMatchObject({ name, total: rows.length, totalExact: true, size: 2, current: 1, pages: Math.ceil(rows.length / 2) });
    expect({ name, records: first.records.length }).toEqual({ name, records: Math.min(2, rows.length) });
    expect({ name, ...(await asked(call, { current: '1' })) }).toMatchObject({ name, size: 10, total: rows.length });
    const paged: Row[] = [];
    for (let current = 1; current <= Math.ceil(rows.length / 200); current += 1)
      paged.push(...(await asked(call, { current: String(current), size: '200' })).records);
    expect({ name, ids: paged.map(({ id }) => id).sort() }).toEqual({ name, ids: rows.map(({ id }) => id).sort() });
    expect({ name, none: await asked(call, { size: '10', createTime_dategt: '2999-01-01 00:00:00' }) }).toMatchObject({
      name,
      none: { records: [], total: 0 },
    });
  }
});

test('a BladeX-compatible client gets the expected array for any page', async () => {
  for (const { name, call } of trees()) {
    const ids = (rows: readonly Row[]) => flat(rows).map(({ id }) => id);
    expect({ name, ids: ids(await asked(call, { current: '1', size: '10' }, bladeHeaders)) }).toEqual({ name, ids: ids(await asked(call)) });
  }
});

test('the list of regions is a page for every client and request, because there are thousands of regions', async () => {
  const [{ all }] = (await server.sql('select count(*)::integer as all from region')) as [{ all: number }];
  for (const as of [headers, bladeHeaders]) {
    expect(await asked({ path: '/api/blade-system/region/list' }, {}, as)).toMatchObject({ total: all, size: 10, current: 1 });
    const { records, total } = await asked({ path: '/api/blade-system/region/list' }, { current: '2', size: '30', regionLevel_equal: '1' }, as);
    expect({ rows: records.length, total }).toEqual({ rows: 4, total: 34 });
  }
});

test('no list answers more than half a megabyte unless more than a page is requested', async () => {
  for (const { name, call } of readingCalls().filter(({ call }) => call.filterable && !call.download)) {
    const bytes = JSON.stringify(await asked(call, sample(call.input) as Record<string, string>)).length;
    expect({ name, isSmall: bytes < 500_000 }).toEqual({ name, isSmall: true });
  }
});

test('every paged list returns ten rows by default', async () => {
  const paged = readingCalls().filter(({ call }) => call.filterable && !call.download && (call.reply as { type?: string }).type === 'object');
  expect(paged.length).toBeGreaterThan(40);
  for (const { name, call } of paged)
    expect({ name, size: (await asked(call, sample(call.input) as Record<string, string>)).size }).toEqual({ name, size: 10 });
});

/** Filters that some but not all rows of each tree match. */
const searches: Readonly<Record<string, Record<string, string>>> = {
  '/api/things-system/menu/lazy-list': { name: '管理' },
  '/api/blade-system/menu/lazy-menu-list': { name: '管理' },
  '/api/things-system/dept/lazy-list': { deptName: '组' },
  '/api/blade-system/region/lazy-list': { name: '朝阳' },
};

test('a level of a tree returns all matches at every depth for a filter without a parent, and one level otherwise', async () => {
  const { data: top } = await server.post('/api/things-system/dept/submit', { deptName: '甲部', fullName: '甲部', sort: 1 }, { headers });
  const { data: middle } = await server.post('/api/things-system/dept/submit', { deptName: '一组', fullName: '一组', sort: 1, parentId: top.id }, { headers });
  await server.post('/api/things-system/dept/submit', { deptName: '一组二队', fullName: '二队', sort: 1, parentId: middle.id }, { headers });
  const levels = readingCalls().filter(({ call }) => call.path.includes('lazy') && call.filterable);
  expect(levels.map(({ call }) => call.path).sort()).toEqual(Object.keys(searches).sort());
  for (const { name, call } of levels) {
    const search = searches[call.path] as Record<string, string>;
    const [field, text] = Object.entries(search)[0] as [string, string];
    const matches: Row[] = await asked(call, search);
    expect(matches.length, name).toBeGreaterThan(1);
    expect(new Set(matches.map((row) => (row as unknown as { parentId: string }).parentId)).size, name).toBeGreaterThan(1);
    expect(
      matches.every((row) => String((row as unknown as Record<string, unknown>)[field]).includes(text)),
      name,
    ).toBe(true);
    for (const blank of [{ parentId: '' }, { parentId: '', [`${field}_equal`]: '' }]) expect(await asked(call, { ...search, ...blank })).toEqual(matches);
    const topLevel: Row[] = await asked(call);
    expect(await asked(call, { parentId: '0' })).toEqual(topLevel);
    expect(
      topLevel.every((row) => (row as unknown as { parentId: string }).parentId === '0'),
      name,
    ).toBe(true);
    const within = await asked(call, { ...search, parentId: '0' });
    expect(within).toEqual(topLevel.filter((row) => String((row as unknown as Record<string, unknown>)[field]).includes(text)));
  }
});

test('a search among all levels returns at most a thousand rows', async () => {
  expect(await asked({ path: '/api/blade-system/region/lazy-list' }, { regionLevel_equal: '3' })).toHaveLength(1000);
});
