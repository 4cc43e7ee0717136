import { expect, test } from '@rstest/core';
import type { Entity } from '#shared/contract';
import { emit } from '../../../../src/plugins/codegen/server/emit/emit.ts';
import { fieldPlans } from '../../../../src/plugins/codegen/server/emit/field-plan.ts';
import type { EntityPlan, PluginPlan } from '../../../../src/plugins/codegen/server/emit/plan.ts';
import { guessColumns } from '../../../../src/plugins/codegen/server/guess.ts';
import { nextMigration } from '../../../../src/plugins/codegen/server/next-migration.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { judgeSource } from '../../../architecture/rules/plugin-rules.ts';
import { sourceProblems } from '../../../support/checked-sources.ts';
import { loadEmitted } from '../../../support/emitted-plugin.ts';
import { testServer } from '../../../support/test-server.ts';

const column = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  comment: '',
  length: undefined,
  scale: undefined,
  isNullable: true,
  isKey: false,
  isUnique: false,
  options: [],
  references: undefined,
  ...more,
});

const nasty = 'it\'s "quoted" `\u0024{process.exit()}` */ {{template}} <%= 1 %> \\ ../../etc';
const columns = [
  column('id', 'bigint', { isKey: true, isNullable: false }),
  column('name', 'varchar', { length: 40, isNullable: false, isUnique: true, comment: nasty }),
  column('class', 'varchar', { length: 10 }),
  column('order', 'int', { isNullable: false }),
  column('../../secret', 'text'),
  column(`long_${'x'.repeat(58)}`, 'varchar', { length: 4000 }),
  column('kind', 'enum', { options: ['new', "it's used", '\u0024{x}'], isNullable: false }),
  column('state', 'tinyint', { length: 4, comment: '状态（0=下架，1=上架）', isNullable: false }),
  column('sex', 'varchar', { length: 8, comment: '性别' }),
  column('price', 'decimal', { length: 10, scale: 2 }),
  column('views', 'bigint'),
  column('is_hot', 'boolean', { isNullable: false }),
  column('made_at', 'timestamp with time zone'),
  column('day', 'date'),
  column('at', 'time without time zone'),
  column('content', 'longtext'),
  column('remark', 'mediumtext'),
  column('picture', 'blob'),
  column('shop_id', 'int', { references: 'shop' }),
  column('create_time', 'datetime'),
];

const targets = new Map([['shop', { apiPath: '/api/generated/shop', title: 'name' }]]);
const fields = fieldPlans(guessColumns(columns, { modelCode: 'goods', table: 'goods', dictionaries: new Set(['sex']) }), targets);
const thing = (table: string, entityConstant: string, more: Partial<EntityPlan> = {}): EntityPlan => ({
  table,
  entityConstant,
  constant: entityConstant.charAt(0).toLowerCase() + entityConstant.slice(1),
  title: ['商品', nasty],
  apiPath: `/api/generated/${table.replaceAll('_', '-')}`,
  fields,
  ...more,
});
const plan = (id: string, main: EntityPlan, more: Partial<PluginPlan> = {}): PluginPlan => ({
  id,
  title: ['商品', nasty.slice(0, 40)],
  main,
  isTree: false,
  details: undefined,
  menu: { path: `/base/${id}`, under: 'base' },
  ...more,
});

const parent = {
  ...(fields[0] as (typeof fields)[number]),
  name: 'parentId',
  builder: 'Parent',
  traits: { title: ['上级', 'Within'] },
  sqlType: 'bigint',
  preset: '0',
  isUnique: false,
  isSortable: false,
  sample: '0',
};
const goods = plan('goods', thing('goods', 'Goods'));
const area = plan('area', thing('area', 'Area', { fields: [parent, ...fields.slice(0, 2)] }), { isTree: true });
const owner = {
  ...parent,
  name: 'billId',
  builder: 'Reference',
  traits: { title: ['账单', 'Bill'], from: { call: { path: '/api/generated/bill/list' }, paged: true, title: 'name' }, search: true },
  preset: undefined,
};
const bill = plan('bill', thing('bill', 'Bill'), {
  details: { ...thing('bill_line', 'BillLine', { apiPath: '/api/generated/bill/details', fields: [owner, ...fields.slice(0, 3)] }), foreignKey: 'billId' },
});

test('a range filter is declared for fields that can be compared by order', () => {
  const between = guessColumns(columns, { modelCode: 'goods', table: 'goods', dictionaries: new Set(['sex']) }).map(
    (one) => ({ ...one, isQuery: 1, queryType: 'between' }) as typeof one,
  );
  const plans = fieldPlans(between, targets).filter(({ traits }) => traits.compare === 'between');
  expect(plans.map(({ name }) => name)).toEqual(['order', 'price', 'views', 'day', 'at']);
});

test('generated plugins have the format of this project, valid types and no finding of the rules for sources, with any names and comments', {
  timeout: 240_000,
}, async () => {
  const files = [goods, area, bill].flatMap(emit);
  for (const { path } of files) expect(path).toMatch(/^(src|tests)\/plugins\/(goods|area|bill)\/[\w/-]+(\.test)?\.(ts|tsx|sql)$/);
  expect(sourceProblems(files)).toBe('');
  for (const one of [goods, area, bill]) expect(await judgeSource(emit(one))).toEqual([]);
});

test('a generated plugin boots; its rows are added, found, changed and removed, and its tables are what its entities say', async () => {
  const [one, two, three] = [goods, area, bill].map((each) => loadEmitted(emit(each)));
  const server = await testServer({ plugins: ['dictionary', one, two, three] as never });
  const headers = await server.signIn();
  for (const { contract } of [one, two, three] as { contract: Record<string, unknown> }[])
    for (const value of Object.values(contract)) if ('fields' in (value as object)) expect(await compareTables(server.db, value as Entity)).toEqual([]);
  for (const { main, isTree } of [goods, area, bill]) {
    const form = Object.fromEntries(main.fields.map(({ name, sample }) => [name, sample]));
    const added = await server.post(`${main.apiPath}/submit`, form, { headers });
    expect({ msg: added.msg, data: added.data }).toMatchObject({ data: form });
    const { data } = await server.get(`${main.apiPath}/list`, { headers, query: { name: 'Sam' } });
    expect(isTree ? data : data.records).toHaveLength(1);
    expect(await server.post(`${main.apiPath}/submit`, { ...form, id: added.data.id, name: 'Other' }, { headers })).toMatchObject({
      code: 200,
      data: { name: 'Other' },
    });
    expect(await server.post(`${main.apiPath}/submit`, { ...form, name: 'Other' }, { headers })).toMatchObject({ status: 409 });
    expect(await server.post(`${main.apiPath}/remove`, { ids: [added.data.id] }, { headers })).toMatchObject({ code: 200 });
  }
});

test('a changed table becomes another migration, which gives the table its entity describes', async () => {
  const before = emit(goods);
  const changed = fields
    .slice(0, -2)
    .map((field) => (field.name === 'class' ? { ...field, traits: { ...field.traits, maxLength: 99 }, sqlType: 'varchar(99)', isOptional: false } : field));
  const after = plan('goods', thing('goods', 'Goods', { fields: [...changed, { ...(fields[0] as (typeof fields)[number]), name: 'brand' }] }));
  const files = nextMigration(emit(after), before);
  const migrations = files.filter(({ path }) => path.endsWith('.sql'));
  expect(migrations.map(({ path }) => path)).toEqual(['0001', '0002'].map((number) => `src/plugins/goods/server/migrations/${number}-goods.sql`));
  expect(migrations[0]).toEqual(before.find(({ path }) => path.endsWith('.sql')));
  expect(nextMigration(emit(after), files).filter(({ path }) => path.endsWith('.sql'))).toEqual(migrations);
  const made = loadEmitted(files);
  const server = await testServer({ plugins: ['dictionary', made] });
  expect(await compareTables(server.db, made.contract.Goods as Entity)).toEqual([]);
});
