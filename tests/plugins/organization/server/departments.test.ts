import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { Dept } from '#plugins/organization/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type Reply, type TestServer } from '../../../support/test-server.ts';

const system = '/api/blade-system/dept';
const things = '/api/things-system/dept';

let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

type Fields = Record<string, unknown>;
const get = (path: string, query: Record<string, string> = {}, headers = admin) => server.get(path, { query, headers });
const post = (call: string, body: Fields, headers = admin) => server.post(`${things}/${call}`, body, { headers });
const submit = (fields: Fields, headers = admin) => post('submit', { deptName: '部', fullName: '部门', sort: 1, ...fields }, headers);

async function added(fields: Fields = {}): Promise<{ id: string; ancestors: string }> {
  const reply = await submit(fields);
  if (!reply.success) throw new Error(reply.msg);
  return reply.data;
}

const statusAndMessage = ({ status, msg }: Reply) => ({ status, msg });

test('the table matches the contract', async () => {
  expect(await compareTables(server.db, Dept)).toEqual([]);
});

describe('a department', () => {
  test('stores the path to its ancestors, and moves with its descendants', async () => {
    const one = await added();
    const other = await added();
    const child = await added({ parentId: one.id });
    const grandchild = await added({ parentId: child.id });
    expect([one.ancestors, grandchild.ancestors]).toEqual(['0', `0,${one.id},${child.id}`]);
    expect((await submit({ id: child.id, parentId: other.id })).data.ancestors).toBe(`0,${other.id}`);
    expect((await get(`${things}/detail`, { id: grandchild.id })).data.ancestors).toBe(`0,${other.id},${child.id}`);
  });

  test('must have an existing parent, and cannot be its own ancestor', async () => {
    const top = await added();
    const child = await added({ parentId: top.id });
    expect(statusAndMessage(await submit({ id: top.id, parentId: child.id }))).toEqual({ status: 400, msg: '父节点不可选择自身!' });
    expect(statusAndMessage(await submit({ id: top.id, parentId: top.id }))).toEqual({ status: 400, msg: '父节点不可选择自身!' });
    expect(statusAndMessage(await submit({ parentId: '99' }))).toEqual({ status: 400, msg: '上级部门不存在!' });
    await expect(server.sql(`update dept set parent_id = ${child.id} where id = ${top.id}`)).rejects.toThrow();
  });

  test('cannot be removed with departments below it or users in it, with a message in both languages', async () => {
    const top = await added({ deptName: '财务部' });
    const child = await added({ parentId: top.id });
    expect(statusAndMessage(await post('remove', { ids: [top.id] }))).toEqual({ status: 409, msg: '请先删除子节点!' });
    await post('remove', { ids: child.id });
    const { userId } = await server.createUser({ account: 'accountant' });
    await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${top.id})`);
    expect(statusAndMessage(await post('remove', { ids: [top.id] }))).toEqual({ status: 409, msg: '「财务部」正在使用中，无法删除，可改为归档' });
    const english = await post('remove', { ids: [top.id] }, { ...admin, 'accept-language': 'en' });
    expect(english.msg).toBe('“财务部” is in use and cannot be deleted. You can archive it instead.');
    await server.sql(`update user_account set is_deleted = 1 where id = ${userId}`);
    expect((await post('remove', { ids: [top.id] })).success).toBe(true);
  });
});

describe('department pickers', () => {
  test('return all departments, the children of one, or those of a user with the main one first', async () => {
    const top = await added({ deptName: '事业部' });
    const child = await added({ deptName: '一组', parentId: top.id });
    const nodes = (await get(`${things}/tree`)).data as { value: string; title: string; children?: { title: string }[] }[];
    expect(nodes.find(({ value }) => value === top.id)).toMatchObject({ title: '事业部', children: [{ title: '一组', value: child.id }] });
    const level = (await get(`${system}/lazy-tree`)).data as { value: string; hasChildren: boolean }[];
    expect(level.find(({ value }) => value === top.id)?.hasChildren).toBe(true);
    expect((await get(`${system}/lazy-tree`, { parentId: top.id })).data).toMatchObject([{ title: '一组', hasChildren: false }]);
    expect((await get(`${things}/lazy-list`, { parentId: top.id })).data).toMatchObject([{ deptName: '一组', hasChildren: false }]);
    const { userId } = await server.createUser({ account: 'worker' });
    await server.sql(
      `insert into user_dept (tenant_id, user_id, dept_id, sort) values ('000000', ${userId}, ${child.id}, 1), ('000000', ${userId}, ${top.id}, 2)`,
    );
    expect((await get(`${system}/select`, { userId })).data.map(({ id }: Fields) => id)).toEqual([child.id, top.id]);
  });

  test('are limited to the caller’s tenant, whichever tenant is requested', async () => {
    await server.createTenant('rivals');
    await server.createUser({ account: 'rival', codes: ['dept', 'dept_add', 'dept_delete'], tenantId: 'rivals' });
    const rival = await server.signIn('rival', 'rivals');
    const ours = await added({ deptName: '机密部' });
    await submit({ deptName: '对手部' }, rival);
    for (const query of [{}, { tenantId: 'rivals' }]) {
      expect((await get(`${things}/tree`, query, rival)).data.map(({ title }: Fields) => title)).toEqual(['对手部']);
    }
    expect((await get(`${things}/tree`, { tenantId: '000000' }, rival)).data).toEqual([]);
    expect((await submit({ parentId: ours.id }, rival)).msg).toBe('上级部门不存在!');
    expect((await post('remove', { ids: [ours.id] }, rival)).status).toBe(404);
  });
});

/** Returns pseudo-random numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface DepartmentPath {
  readonly id: string;
  readonly parentId: string;
  readonly ancestors: string;
}

/** Returns the path to a row according to its parents, or undefined if they form a cycle or a parent is missing. */
function pathTo(row: DepartmentPath, rows: ReadonlyMap<string, DepartmentPath>): string | undefined {
  const path: string[] = [];
  for (let above = row.parentId; above !== '0'; ) {
    const parent = rows.get(above);
    if (!parent || path.includes(above)) return undefined;
    path.unshift(above);
    above = parent.parentId;
  }
  return ['0', ...path].join(',');
}

test.each([1, 2, 3])('after any additions, moves, removals and restores there is no cycle and every path is correct (%i)', async (seed) => {
  const roll = dice(seed);
  const ids: string[] = [];
  const any = () => ids[roll(ids.length)] ?? '0';
  let refused = 0;
  for (let step = 0; step < 120; step += 1) {
    const parentId = roll(4) === 0 ? '0' : any();
    const action = roll(10);
    const reply =
      action < 4
        ? await submit({ parentId })
        : action < 8
          ? await submit({ id: any(), parentId })
          : await post(action === 8 ? 'remove' : 'restore', { ids: [any()] });
    if (reply.success && action < 4) ids.push(reply.data.id);
    if (!reply.success) refused += 1;
    expect(reply.status).toBeLessThan(500);
  }
  const all = (await server.sql(
    `select id::text as id, parent_id::text as "parentId", ancestors, is_deleted as gone from dept`,
  )) as unknown as (DepartmentPath & {
    gone: number;
  })[];
  const everything = new Map(all.map((row) => [row.id, row]));
  const live = new Map(all.filter(({ gone }) => gone === 0).map((row) => [row.id, row]));
  for (const row of all) expect(row.ancestors).toBe(pathTo(row, everything));
  for (const row of live.values()) expect(row.ancestors).toBe(pathTo(row, live));
  expect({ some: live.size > 5, refused: refused > 0 }).toEqual({ some: true, refused: true });
});
