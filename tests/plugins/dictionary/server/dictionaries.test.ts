import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { Dict, DictBiz } from '#plugins/dictionary/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type Reply, type TestServer } from '../../../support/test-server.ts';

const base = '/api/blade-system/dict';
const taken = '当前字典键值已存在!';

let server: TestServer;
let admin: Record<string, string>;
let dictionaryCount = 0;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

type Fields = Record<string, unknown>;
const get = (call: string, query: Record<string, string> = {}, headers = admin) => server.get(`${base}/${call}`, { query, headers });
const post = (call: string, body: Fields, headers = admin) => server.post(`${base}/${call}`, body, { headers });
const submit = (fields: Fields) => post('submit', { sort: 100, isSealed: 0, dictValue: '值', ...fields });

async function save(fields: Fields): Promise<{ id: string; dictValue: string; code: string; parentId: string; dictKey: string }> {
  const reply = await submit(fields);
  if (!reply.success) throw new Error(reply.msg);
  return reply.data;
}

/** Creates a dictionary for the test, with entries of these keys. */
async function createDictionary(...keys: string[]) {
  dictionaryCount += 1;
  const head = await save({ code: `own_${dictionaryCount}`, dictValue: `字典${dictionaryCount}` });
  const entries: Awaited<ReturnType<typeof save>>[] = [];
  for (const dictKey of keys) entries.push(await save({ parentId: head.id, dictKey, dictValue: `项${dictKey}` }));
  return { head, entries };
}

const outcomeOf = ({ status, code, success, msg }: Reply) => ({ status, code, success, msg });
const refused = (status: number, msg: string) => ({ status, code: status, success: false, msg });
const keysOf = (rows: { dictKey: string; children?: never[] }[]): unknown[] =>
  rows.flatMap(({ dictKey, children }) => (children ? [dictKey, keysOf(children)] : [dictKey]));

describe('a new deployment', () => {
  test('has the tables that the contract describes', async () => {
    expect(await compareTables(server.db, Dict)).toEqual([]);
    expect(await compareTables(server.db, DictBiz)).toEqual([]);
  });

  test('starts with the dictionaries of BladeX-compatible products', async () => {
    const { data } = await get('select');
    const codes = ['sex', 'notice', 'menu_category', 'button_func', 'yes_no', 'data_scope_type', 'api_scope_type', 'scope_category', 'post_category'];
    const more = ['region', 'org_category', 'user_type', 'oss', 'sms', 'datasource_category'];
    expect(data.slice(0, 15).map(({ code }: Fields) => code)).toEqual([...codes, ...more]);
    expect((await get('dictionary', { code: 'sex' })).data.map(({ dictKey, dictValue }: Fields) => [dictKey, dictValue])).toEqual([
      ['1', '男'],
      ['2', '女'],
      ['3', '未知'],
    ]);
    expect((await get('dictionary', { code: 'region' })).data[0]).toMatchObject({ dictKey: '0', dictValue: '国家', code: 'region', isSealed: 0 });
  });

  test('is seeded once: another start adds nothing, and neither does a lost seed record', async () => {
    const count = async () => (await server.sql('select count(*)::text as rows from dict'))[0]?.rows;
    const before = await count();
    await server.sql(`delete from seeded_plugin where plugin_id like 'dictionary%'`);
    const again = await openTestServer({ plugins: ['dictionary'], db: server.db });
    await again.stop();
    expect(again.host.skipped).toEqual([]);
    expect(await count()).toBe(before);
  });

  test('gets missing entries in an older database, except deleted ones, and keeps changes', async () => {
    await server.sql(`delete from dict where code = 'yes_no'`);
    await server.sql(`update dict set is_deleted = 1 where code = 'post_category'`);
    await server.sql(`update dict set dict_value = '先生' where code = 'sex' and dict_key = '1'`);
    await server.sql(`update seeded_plugin set plugin_id = 'dictionary' where plugin_id like 'dictionary%'`);
    await (await openTestServer({ plugins: ['dictionary'], db: server.db })).stop();
    const values = async (code: string) =>
      (await server.sql(`select dict_value from dict where code = '${code}' and is_deleted = 0 order by sort`)).map((row) => row.dict_value);
    expect((await values('yes_no')).sort()).toEqual(['否', '是', '是否']);
    expect(await values('post_category')).toEqual([]);
    expect(await values('sex')).toContain('先生');
    await server.sql(`update dict set is_deleted = 0 where code = 'post_category'`);
    await server.sql(`update dict set dict_value = '男' where code = 'sex' and dict_key = '1'`);
  });
});

describe('a dictionary', () => {
  test('is at the top level with the key -1, with any key sent', async () => {
    expect(await save({ code: 'top', dictValue: '顶', dictKey: '7' })).toMatchObject({ parentId: '0', dictKey: '-1', isSealed: 0, code: 'top' });
  });

  test('is paged without its entries, in its own order by default', async () => {
    const { data } = await get('parent-list', { size: '3' });
    expect(data.records.map(({ code }: Fields) => code)).toEqual(['sex', 'notice', 'menu_category']);
    expect(data.records.every(({ parentId }: Fields) => parentId === '0')).toBe(true);
    expect((await get('parent-list', { code: 'scope', descs: 'code' })).data.records.map(({ code }: Fields) => code)).toEqual([
      'scope_category',
      'data_scope_type',
      'api_scope_type',
    ]);
  });

  test.each([
    ['code', '请输入字典编号'],
    ['dictValue', '请输入字典名称'],
    ['sort', '请输入字典排序'],
  ])('needs its %s', async (name, words) => {
    expect(outcomeOf(await submit({ code: 'incomplete', [name]: '' }))).toEqual(refused(400, words));
  });

  test('is either sealed or not', async () => {
    expect((await submit({ code: 'incomplete', isSealed: 2 })).msg).toBe('封存不是可选的值');
  });

  test('stays sealed, and an entry keeps its parent, when an edit omits them', async () => {
    const { head, entries } = await createDictionary('a');
    for (const { id } of [head, ...entries]) {
      const { data: before } = await post('submit', { id, dictValue: '封', sort: 1, isSealed: 1 });
      const { data: after } = await post('submit', { id, dictValue: '改名', sort: 1 });
      expect([after.isSealed, after.parentId, after.dictValue]).toEqual([1, before.parentId, '改名']);
    }
  });

  test('cannot get the code of another, but keeps its own', async () => {
    const { head } = await createDictionary();
    expect(outcomeOf(await submit({ code: head.code }))).toEqual(refused(409, taken));
    expect((await submit({ id: head.id, code: head.code, dictValue: '改名' })).success).toBe(true);
  });

  test('passes a new code to all of its entries', async () => {
    const { head, entries } = await createDictionary('a');
    await save({ parentId: entries[0]?.id, dictKey: 'aa' });
    await save({ id: head.id, code: `${head.code}_renamed` });
    expect((await get('dictionary', { code: head.code })).data).toEqual([]);
    expect((await get('dictionary', { code: `${head.code}_renamed` })).data.map(({ dictKey }: Fields) => dictKey).sort()).toEqual(['a', 'aa']);
  });

  test('with children is not removed; without them it is, and its code is free again', async () => {
    const { head, entries } = await createDictionary('a');
    expect(outcomeOf(await post('remove', { ids: head.id }))).toEqual(refused(409, '请先删除子节点!'));
    expect((await post('remove', { ids: entries[0]?.id })).success).toBe(true);
    expect((await post('remove', { ids: [head.id] })).success).toBe(true);
    expect((await get('detail', { id: head.id })).status).toBe(404);
    expect((await submit({ code: head.code })).success).toBe(true);
  });

  test('can be removed together with all of its children', async () => {
    const { head, entries } = await createDictionary('a', 'b');
    expect((await post('remove', { ids: [head.id, ...entries.map(({ id }) => id)].join(',') })).success).toBe(true);
  });
});

describe('an entry', () => {
  test('has the code of its dictionary, with any code sent', async () => {
    const { head } = await createDictionary();
    const entry = await save({ parentId: head.id, dictKey: '1', code: 'another' });
    expect(entry).toMatchObject({ code: head.code, parentId: head.id, dictKey: '1' });
    expect((await get('detail', { id: entry.id })).data).toMatchObject({ code: head.code, dictKey: '1' });
  });

  test('needs a key, and one that its dictionary does not have yet, at any depth', async () => {
    const { head, entries } = await createDictionary('a');
    expect(outcomeOf(await submit({ parentId: head.id }))).toEqual(refused(400, '请输入字典键值'));
    expect(outcomeOf(await submit({ parentId: head.id, dictKey: 'a' }))).toEqual(refused(409, taken));
    expect(outcomeOf(await submit({ parentId: entries[0]?.id, dictKey: 'a' }))).toEqual(refused(409, taken));
    const other = await createDictionary('a');
    expect(other.entries[0]?.dictKey).toBe('a');
  });

  test('stays below its parent when an edit names none', async () => {
    const { head, entries } = await createDictionary('a');
    const [entry] = entries;
    expect(await save({ id: entry?.id, dictValue: '改名' })).toMatchObject({ parentId: head.id, dictKey: 'a', code: head.code, dictValue: '改名' });
  });

  test('cannot be below itself or its descendants', async () => {
    const { entries } = await createDictionary('a', 'b');
    const [a, b] = entries;
    await save({ id: b?.id, parentId: a?.id });
    for (const parentId of [a?.id, b?.id]) expect(outcomeOf(await submit({ id: a?.id, parentId }))).toEqual(refused(409, '不能移动到自身或其下级'));
  });

  test('two concurrent moves never create a cycle', async () => {
    const { entries } = await createDictionary('a', 'b');
    const [a, b] = entries;
    const replies = await Promise.all([submit({ id: a?.id, parentId: b?.id }), submit({ id: b?.id, parentId: a?.id })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('moves to another dictionary with its descendants, unless a key is taken there', async () => {
    const from = await createDictionary('a');
    const to = await createDictionary('b');
    await save({ parentId: from.entries[0]?.id, dictKey: 'aa' });
    await save({ id: from.entries[0]?.id, parentId: to.head.id });
    expect(keysOf((await get('child-list', { parentId: to.head.id })).data)).toEqual(['a', ['aa'], 'b']);
    expect((await get('dictionary', { code: from.head.code })).data).toEqual([]);
    const third = await createDictionary('aa');
    expect(outcomeOf(await submit({ id: from.entries[0]?.id, parentId: third.head.id }))).toEqual(refused(409, taken));
    expect(keysOf((await get('child-list', { parentId: to.head.id })).data)).toEqual(['a', ['aa'], 'b']);
  });

  test('does not become a dictionary by being moved to the top', async () => {
    const { entries } = await createDictionary('a');
    for (const id of [entries[0]?.id, undefined]) expect(outcomeOf(await submit({ id, parentId: '0', dictKey: 'a' }))).toEqual(refused(400, '请选择上级字典'));
  });

  test('becomes a dictionary with its descendants when it is moved to the top level with its own code', async () => {
    const { head, entries } = await createDictionary('a');
    const [entry] = entries;
    await save({ parentId: entry?.id, dictKey: 'aa' });
    expect(outcomeOf(await submit({ id: entry?.id, parentId: '0', dictKey: 'a', code: head.code }))).toEqual(refused(409, taken));
    const code = `${head.code}_raised`;
    expect(await save({ id: entry?.id, parentId: '0', dictKey: 'a', code })).toMatchObject({ parentId: '0', dictKey: '-1', code });
    expect(keysOf((await get('child-list', { parentId: entry?.id ?? '' })).data)).toEqual(['aa']);
    expect((await get('dictionary', { code })).data).toMatchObject([{ dictKey: 'aa', code }]);
  });

  test('is not put below a parent that does not exist', async () => {
    expect((await submit({ parentId: '99', dictKey: '1' })).status).toBe(404);
  });
});

describe('reading', () => {
  test('the children of a dictionary are a tree; without a parent, or with an unknown one, the list is empty', async () => {
    const { head, entries } = await createDictionary('a', 'b');
    await save({ parentId: entries[0]?.id, dictKey: 'aa' });
    const { data } = await get('child-list', { parentId: head.id });
    expect((await get('child-list', { parentId: head.id, current: '1', size: '2' })).data).toMatchObject({ total: 3, records: [{}, {}] });
    expect((await get('child-list', { parentId: head.id, dictValue: '没有这个值' })).data).toEqual([]);
    expect((await get('child-list', { parentId: head.id, dictValue: data[0].dictValue })).data[0].id).toBe(data[0].id);
    expect(keysOf(data)).toEqual(['a', ['aa'], 'b']);
    expect(data[1]).not.toHaveProperty('children');
    const created = { createTime_dategt: '2020-01-01 00:00:00' };
    expect((await get('child-list', { parentId: head.id, ...created })).data).toEqual(data);
    expect((await get('child-list', { parentId: head.id, createTime_dategt: '2999-01-01 00:00:00' })).data).toEqual([]);
    for (const query of [{}, { parentId: '-1' }, { parentId: '' }, { parentId: '99' }]) expect((await get('child-list', query)).data).toEqual([]);
  });

  test('the list is the tree of all dictionaries', async () => {
    const { data } = await get('list');
    expect(keysOf(data.filter(({ code }: Fields) => code === 'yes_no'))).toEqual(['-1', ['1', '2']]);
  });

  test('tree nodes carry title, value, key, id and parent; the code DICT selects every dictionary', async () => {
    const { head, entries } = await createDictionary('a');
    const child = { id: entries[0]?.id, parentId: head.id, title: '项a', value: entries[0]?.id, key: entries[0]?.id };
    const node = { id: head.id, parentId: '0', title: `字典${dictionaryCount}`, value: head.id, key: head.id, children: [child] };
    expect((await get('tree', { code: head.code })).data).toEqual([node]);
    const all = (await get('tree', { code: 'DICT' })).data;
    expect(all).toContainEqual(node);
    expect(all).toEqual((await get('tree')).data);
  });

  test('parent-tree has the dictionaries without entries, and dictionary-tree the values of one', async () => {
    const { head, entries } = await createDictionary('a');
    await save({ parentId: entries[0]?.id, dictKey: 'aa' });
    expect((await get('parent-tree')).data).toContainEqual({ id: head.id, parentId: '0', title: head.dictValue, value: head.id, key: head.id });
    expect(keysOf((await get('dictionary-tree', { code: head.code })).data)).toEqual(['a', ['aa']]);
  });

  test('sealed entries are not offered as values but stay in the table', async () => {
    const { head } = await createDictionary('a');
    await save({ parentId: head.id, dictKey: 'b', isSealed: 1 });
    expect(keysOf((await get('dictionary', { code: head.code })).data)).toEqual(['a']);
    expect(keysOf((await get('child-list', { parentId: head.id })).data)).toEqual(['a', 'b']);
  });

  test('an unknown code has no values', async () => {
    expect((await get('dictionary', { code: 'flow' })).data).toEqual([]);
  });

  test('values are returned in order', async () => {
    const { head } = await createDictionary();
    for (const [dictKey, sort] of Object.entries({ last: 9, first: 1, middle: 5 })) await save({ parentId: head.id, dictKey, sort });
    expect(keysOf((await get('dictionary', { code: head.code })).data)).toEqual(['first', 'middle', 'last']);
  });
});

describe('permission', () => {
  test('values and options are for signed-in users only; the other calls need a permission', async () => {
    await server.createUser({ account: 'clerk' });
    const clerk = await server.signIn('clerk');
    for (const [call, query] of [['dictionary', { code: 'sex' }] as const, ['select', {}] as const]) {
      expect((await get(call, query, clerk)).status).toBe(200);
      expect((await get(call, query, {})).code).toBe(401);
    }
    for (const call of ['parent-list', 'child-list', 'list', 'tree', 'detail?id=1']) expect((await get(call, {}, clerk)).status).toBe(403);
    expect((await post('submit', { code: 'x', dictValue: 'x', sort: 1, isSealed: 0 }, clerk)).status).toBe(403);
    expect((await post('remove', { ids: '1' }, clerk)).status).toBe(403);
  });

  test('each button of the page needs its own permission', async () => {
    await server.createUser({ account: 'author', codes: ['dict', 'dict_add'] });
    const author = await server.signIn('author');
    const fields = { code: 'written', dictValue: '写', sort: 1, isSealed: 0 };
    const { data } = await post('submit', fields, author);
    expect(data).toMatchObject({ code: 'written' });
    expect((await post('submit', { ...fields, id: data.id }, author)).status).toBe(403);
    expect((await post('remove', { ids: data.id }, author)).status).toBe(403);
  });

  test('other tenants read the platform’s dictionaries and change none', async () => {
    await server.createTenant('100001');
    await server.createUser({ account: 'tenant', tenantId: '100001', codes: ['dict', 'dict_add', 'dict_edit', 'dict_delete'] });
    const tenant = await server.signIn('tenant', '100001');
    expect((await get('dictionary', { code: 'sex' }, tenant)).data).toHaveLength(3);
    const [{ id }] = (await get('select')).data;
    const replies = [
      await post('submit', { code: 'theirs', dictValue: '他', sort: 1, isSealed: 0 }, tenant),
      await post('submit', { id, code: 'sex', dictValue: '他', sort: 1, isSealed: 0 }, tenant),
      await post('remove', { ids: (await get('dictionary', { code: 'sms' })).data[0].id }, tenant),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await get('detail', { id })).data).toMatchObject({ dictValue: '性别' });
  });
});
