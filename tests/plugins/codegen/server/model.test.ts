import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { Model, Prototype, type PrototypeDraft } from '#plugins/codegen/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { mysqlSample, postgresSample, type SampleDatabase } from '../../../support/sample-schema.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-develop';
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'codegen'], environment: { EGRESS_ALLOW: '127.0.0.1,localhost' } });
  headers = await server.signIn();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.sql('truncate model, model_prototype');
  await server.sql("delete from datasource where driver_class <> 'embedded'");
});

const get = async (call: string, query: Record<string, string> = {}) => (await server.get(`${path}/${call}`, { headers, query })).data;
const post = (call: string, body: unknown) => server.post(`${path}/${call}`, body, { headers });
const embedded = async () => (await get('datasource/list')).records[0].id as string;
const adopted = async (datasourceId: string, table: string) => {
  const reply = await post('model/adopt', { datasourceId, tables: [table] });
  expect(reply).toMatchObject({ code: 200, data: { added: 1, skipped: 0 } });
  const [row] = (await get('model/list')).records;
  const fields: PrototypeDraft[] = await get('model/model-prototype', { modelId: row.id });
  return { row, fields, field: (column: string) => fields.find(({ jdbcName }) => jdbcName === column) };
};

test('the tables match the entities', async () => {
  for (const entity of [Model, Prototype]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('a table of this system becomes a model; importing it again changes nothing', async () => {
  const source = await embedded();
  const { row, field } = await adopted(source, 'dict');
  expect(row).toMatchObject({ modelName: 'Dict', modelTable: 'dict', modelClass: 'Dict', modelCode: 'dict' });
  expect(field('id')).toMatchObject({ isKey: 1, isForm: 0, isList: 0, propertyType: 'Long' });
  expect(field('create_time')).toMatchObject({ isForm: 0, isList: 0 });
  expect(field('code')).toMatchObject({ jdbcType: 'character varying', jdbcLength: 64, isRequired: 1, isQuery: 1, componentType: 'input' });
  expect(field('remark')).toMatchObject({ isRequired: 0, propertyName: 'remark', englishName: 'Remark' });
  expect(await post('model/adopt', { datasourceId: source, tables: ['dict'] })).toMatchObject({ data: { added: 0, skipped: 1 } });
  expect(await post('model/adopt', { datasourceId: source, tables: ["x'; drop table dict; --"] })).toMatchObject({ status: 404 });
});

test('edited fields stay when the table is read again, and removed columns are gone', async () => {
  const { row, fields } = await adopted(await embedded(), 'dict_biz');
  const forms = fields
    .filter(({ jdbcName }) => jdbcName !== 'remark')
    .map(({ name: _, comment: __, ...one }) => (one.jdbcName === 'code' ? { ...one, jdbcComment: '编号', isQuery: 0 } : one));
  expect(await post('model-prototype/submit-list', forms)).toMatchObject({ code: 200, data: true });
  // A second window still has the fields as they were before.
  expect(await post('model-prototype/submit-list', forms)).toMatchObject({ status: 409 });
  const saved: PrototypeDraft[] = await get('model/model-prototype', { modelId: row.id });
  expect(saved.map(({ jdbcName }) => jdbcName)).not.toContain('remark');
  expect(saved.map(({ id }) => id)).toEqual(forms.map(({ id }) => id));
  const current: PrototypeDraft[] = await get('model/model-prototype', { modelId: row.id, current: 'true' });
  expect(current.find(({ jdbcName }) => jdbcName === 'remark')).toMatchObject({ id: null, isForm: 1 });
  expect(current.find(({ jdbcName }) => jdbcName === 'code')).toMatchObject({ jdbcComment: '编号', isQuery: 0 });
  expect(await get('model-prototype/select', { modelId: row.id })).toContainEqual({ jdbcName: 'code', jdbcComment: '编号', propertyName: 'code' });
});

test.each([
  ['two of one name', { propertyName: 'dictKey' }, '属性名 dictKey 重复'],
  ['one of the system’s own', { propertyName: 'tenantId' }, '属性名 tenantId 由系统保留，请改名'],
  ['one that is code', { propertyName: "a'];process.exit()//" }, undefined],
  ['a title with a line break', { jdbcComment: 'a\nb' }, undefined],
  ['a control nobody knows', { componentType: 'script' }, undefined],
])('fields with %s are refused', async (_, values, msg) => {
  const { row, fields } = await adopted(await embedded(), 'dict');
  const forms = fields.map((one) => (one.jdbcName === 'code' ? { ...one, ...values } : one));
  expect(await post('model-prototype/submit-list', forms)).toMatchObject({ status: 400, ...(msg ? { msg } : {}) });
  expect((await get('model/model-prototype', { modelId: row.id })).find(({ jdbcName }: PrototypeDraft) => jdbcName === 'code')).toMatchObject({
    propertyName: 'code',
    componentType: 'input',
  });
});

test('a data source that models use stays', async () => {
  const source = await embedded();
  await adopted(source, 'dict');
  expect(await post('datasource/remove', { ids: [source] })).toMatchObject({ status: 409 });
});

const strange = 'x'.repeat(60);
const schemas: readonly [string, string | undefined, (url: URL) => Promise<SampleDatabase>, string][] = [
  [
    'MariaDB',
    process.env.TEST_MYSQL_URL,
    mysqlSample,
    `create table shop (id int auto_increment primary key, name varchar(40) not null);
     create table \`goods\` (
       goods_id int unsigned auto_increment primary key comment '商品编号', title varchar(120) not null comment '标题：展示给顾客', price decimal(8,2) not null,
       shop_id int not null, kind enum('new','it''s used') not null, state tinyint not null default 0 comment '状态（0=下架，1=上架）', is_hot tinyint(1) not null default 0,
       sex varchar(8), made datetime, content longtext, picture blob, \`order\` int, \`${strange}\` int, \`a"b\${c}x'\` int, status varchar(10),
       foreign key (shop_id) references shop (id)) comment '商品'`,
  ],
  [
    'PostgreSQL',
    process.env.TEST_DATABASE_URL,
    postgresSample,
    `create table shop (id serial primary key, name varchar(40) not null);
     create type kind as enum ('new', 'it''s used');
     create domain money_amount as numeric(8,2);
     create table goods (
       goods_id serial primary key, title varchar(120) not null, price money_amount not null, shop_id int not null references shop (id), kind kind not null,
       state smallint not null default 0, is_hot boolean not null default false, sex varchar(8), made timestamptz, content text, picture bytea, "order" int,
       "${strange}" int, "a""b\${c}\`'" int, status varchar(10));
     comment on table goods is '商品';
     comment on column goods.goods_id is '商品编号';
     comment on column goods.title is '标题：展示给顾客';
     comment on column goods.state is '状态（0=下架，1=上架）'`,
  ],
];

for (const [kind, url, open, schema] of schemas) {
  test.skipIf(!url)(`of a ${kind} comments, keys, foreign keys, enumerations and dictionaries become fields`, async () => {
    const sample = await open(new URL(url as string));
    try {
      await sample.run(schema);
      const { data: source } = await post('datasource/submit', { name: '商城', ...sample.source });
      expect((await get('model/table-list', { datasourceId: source.id })).map(({ name }: { name: string }) => name)).toEqual(['goods', 'shop']);
      expect(await get('model/table-info', { datasourceId: source.id, tableName: 'goods' })).toMatchObject({
        name: 'goods',
        comment: '商品',
        entityName: 'Goods',
      });
      const { row, fields, field } = await adopted(source.id, 'goods');
      expect(row).toMatchObject({ modelName: '商品', modelCode: 'goods' });
      expect(field('goods_id')).toMatchObject({ isKey: 1, isForm: 0, jdbcComment: '商品编号' });
      expect(field('title')).toMatchObject({ jdbcComment: '标题', englishName: 'Title', isRequired: 1, isQuery: 1, queryType: 'like', jdbcLength: 120 });
      expect(field('price')).toMatchObject({ propertyType: 'BigDecimal', jdbcLength: 8, jdbcScale: 2, componentType: 'number' });
      expect(field('shop_id')).toMatchObject({ referenceTable: 'shop', propertyName: 'shopId' });
      expect(field('kind')).toMatchObject({ componentType: 'select', options: ['new', "it's used"] });
      expect(field('state')).toMatchObject({ componentType: 'select', options: ['0=下架', '1=上架'], jdbcComment: '状态' });
      expect(field('is_hot')).toMatchObject({ componentType: 'switch', propertyType: 'Boolean' });
      expect(field('sex')).toMatchObject({ componentType: 'select', dictCode: 'sex' });
      expect(field('made')).toMatchObject({ componentType: 'date', propertyEntity: 'java.util.Date' });
      expect(field('content')).toMatchObject({ componentType: 'editor', isList: 0, isForm: 1 });
      expect(field('picture')).toMatchObject({ isList: 0, isForm: 0 });
      expect(field('status')).toMatchObject({ propertyName: 'goodsStatus' });
      expect(new Set(fields.map(({ propertyName }) => propertyName)).size).toBe(fields.length);
      for (const { propertyName } of fields) expect(propertyName).toMatch(/^[a-z][A-Za-z0-9]{0,49}$/);
      await sample.run(`create table wide (${Array.from({ length: 1001 }, (_, index) => `c${index} smallint`).join()})`);
      expect((await get('model/table-info', { datasourceId: source.id, tableName: 'wide' })).fields).toHaveLength(1000);
      expect(await post('model/adopt', { datasourceId: source.id, tables: ['wide'] })).toMatchObject({ status: 400, msg: '表 wide 的列过多，最多 999 列' });
    } finally {
      await sample.drop();
    }
  });
}
