import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { eq } from 'drizzle-orm';
import { type Actor, actingAs, type RowScope } from '../../../src/server/data/context/actor.ts';
import { createTableSql, type Database, repositoryOf, tableOf } from '../../../src/server/data/index.ts';
import type { RepositoryOptions } from '../../../src/server/data/repository/repository.ts';
import { entity } from '../../../src/shared/contract/contract.ts';
import { ApiError, problem } from '../../../src/shared/contract/errors.ts';
import { Id, Nullable, Secret, Select, Text } from '../../../src/shared/contract/fields.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const Branch = entity('branch', {
  id: Id(),
  code: Text({ title: ['编号', 'Code'] }),
  name: Text({ title: ['名称', 'Name'] }),
  kind: Nullable(
    Select({
      title: ['类型', 'Type'],
      options: [
        [1, ['总部', 'Head office']],
        [2, ['分部', 'Branch office']],
      ],
    }),
  ),
  remark: Nullable(Text({ title: ['备注', 'Note'] })),
  token: Nullable(Secret({ title: ['令牌', 'Token'] })),
});

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let acme: { tenantId: string };
let tenants = 0;

beforeAll(async () => {
  opened = await openTestDatabase({ migrations: await createTableSql(Branch) });
  db = opened.db;
});
afterAll(() => opened.drop());
beforeEach(() => {
  tenants += 1;
  acme = { tenantId: `acme${tenants}` };
});

type Options = RepositoryOptions<typeof Branch>;
const byCode: Options = { unique: [{ fields: ['code'] }] };
const branches = (options = byCode) => repositoryOf(db, Branch, options);
const actor = (dataScope?: RowScope): Actor => ({
  userId: '7',
  deptId: undefined,
  tenantId: acme.tenantId,
  ...(dataScope ? { dataScopes: new Map([['branch', dataScope]]) } : {}),
});
/** Writes as a user with this data scope. */
const writeAs = <Result>(dataScope: RowScope | undefined, work: () => Promise<Result>) => actingAs(actor(dataScope), () => db.write(acme, work));
const add = (values: Partial<{ code: string; name: string; kind: 1 | 2; remark: string }>, options = byCode) =>
  branches(options).save({ code: 'A01', name: '北京分部', ...values });

async function refusalOf(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error(`Not refused: ${error}`);
  return { status: error.problem.status, zh: error.text('zh'), en: error.text('en'), field: error.field, data: error.data };
}

test('a duplicate names the value and the record that has it', async () => {
  const { id } = await writeAs(undefined, () => add({}));
  expect(await refusalOf(writeAs(undefined, () => add({ name: '上海分部' })))).toEqual({
    status: 409,
    zh: '编号「A01」已被「北京分部」使用',
    en: 'Code “A01” is already used by “北京分部”.',
    field: 'code',
    data: { id, name: '北京分部' },
  });
});

test('the message for a duplicate selection names its label', async () => {
  const byKind: Options = { unique: [{ fields: ['kind'] }] };
  await writeAs(undefined, () => add({ kind: 2 }, byKind));
  const { zh, en } = await refusalOf(writeAs(undefined, () => add({ code: 'A02', kind: 2 }, byKind)));
  expect([zh, en]).toEqual(['类型「分部」已被「北京分部」使用', 'Type “Branch office” is already used by “北京分部”.']);
});

test('the message for a duplicate name does not repeat the name', async () => {
  const byName: Options = { unique: [{ fields: ['name'] }] };
  const { id } = await writeAs(undefined, () => add({}, byName));
  expect(await refusalOf(writeAs(undefined, () => add({ code: 'A02' }, byName)))).toMatchObject({ zh: '名称已存在', data: { id, name: '北京分部' } });
});

test('a record outside the reader’s data scope, or its hidden name, is not disclosed', async () => {
  const { id } = await actingAs({ ...actor(), userId: '8' }, () => db.write(acme, () => add({})));
  const own: RowScope = { parts: [{ kind: 'own', column: 'createUser' }], fields: undefined };
  const withoutName: RowScope = { parts: undefined, fields: new Set(['code']) };
  expect(await refusalOf(writeAs(own, () => add({ name: '上海分部' })))).toMatchObject({ zh: '编号已存在', en: 'Code already exists.', data: undefined });
  expect(await refusalOf(writeAs(withoutName, () => add({ name: '上海分部' })))).toMatchObject({ zh: '编号已存在', data: { id } });
  expect(await refusalOf(db.write(acme, () => add({ name: '上海分部' })))).toMatchObject({ zh: '编号已存在', data: undefined });
});

test('a message of the plugin gets the title and the value of the field', async () => {
  const taken = problem(409, ['{name} {value} 已被占用', '{name} {value} is taken.']);
  const options: Options = { unique: [{ fields: ['code'], problem: taken }] };
  const { id } = await writeAs(undefined, () => add({}, options));
  expect(await refusalOf(writeAs(undefined, () => add({}, options)))).toMatchObject({
    zh: '编号 A01 已被占用',
    en: 'Code A01 is taken.',
    data: { id, name: '北京分部' },
  });
});

test('in a batch a duplicate of a stored record names that record, and one within the batch names none', async () => {
  await writeAs(undefined, () => add({}));
  const forms = [
    { code: 'A01', name: '上海分部' },
    { code: 'A02', name: '广州分部' },
    { code: 'A02', name: '深圳分部' },
  ];
  const outcomes = await writeAs(undefined, () => branches().addAll(forms));
  expect(outcomes.map((outcome) => (outcome instanceof ApiError ? outcome.text('zh') : outcome.name))).toEqual([
    '编号「A01」已被「北京分部」使用',
    '广州分部',
    '编号已存在',
  ]);
});

test('a typed update can set only nullable fields to null', async () => {
  const table = tableOf(Branch);
  const { id } = await writeAs(undefined, () => add({ kind: 2, remark: '新' }));
  const [row] = await writeAs(undefined, () => db.sql.update(table).set({ kind: null, remark: null, updateUser: null }).where(eq(table.id, id)).returning());
  expect(row).toMatchObject({ kind: null, remark: null, updateUser: null });
  // @ts-expect-error A field that is not nullable takes no null.
  const invalid: Parameters<ReturnType<typeof db.sql.update<typeof table>>['set']>[0] = { code: null };
  await expect(writeAs(undefined, () => db.sql.update(table).set(invalid).where(eq(table.id, id)))).rejects.toThrow();
});
