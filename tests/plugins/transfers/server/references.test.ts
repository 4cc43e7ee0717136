import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { openXlsx, saveXlsx } from 'hucre/xlsx';
import * as Type from 'typebox';
import { transfers } from '#plugins/transfers/contract';
import { crudRoutes, route } from '#server';
import { crud, entity, get, NoInput, TreeNode, TreeOf } from '#shared/contract';
import { DateOnly, Dictionary, Id, MultiSelect, Nullable, Parent, Reference, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { nodesOf } from '#shared/tree';
import { fileName } from '../../../../src/plugins/transfers/server/export-name.ts';
import { repositoryOf, treeRepositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const Maker = entity('maker', { id: Id(), name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true }) });
const Site = entity('site', {
  id: Id(),
  parentId: Parent({ title: ['上级', 'Above'] }),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
});
const maker = crud('/api/test/maker', Maker);
const site = crud('/api/test/site', Site, { menu: 'gadget', tree: true });
const sites = get('/api/test/site/tree', { title: ['地点', 'Sites'], access: 'signedIn', input: NoInput, reply: TreeOf(TreeNode) });
const regions = get('/api/test/regions', {
  title: ['地区', 'Regions'],
  access: 'signedIn',
  input: Type.Object({ parentCode: Type.Optional(Type.String()) }),
  reply: Type.Unsafe<{ readonly code: string; readonly name: string }[]>({ type: 'array', items: { type: 'object', additionalProperties: true } }),
});
const fromMaker = { call: maker.list, search: 'name', paged: true };

const Gadget = entity('gadget', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, sort: true }),
  makerId: Reference({ title: ['厂家', 'Maker'], from: fromMaker, search: true }),
  siteId: Nullable(Reference({ title: ['地点', 'Site'], from: { call: sites, shape: 'tree' } })),
  region: Nullable(
    Reference({
      title: ['产地', 'Origin'],
      from: { call: regions, shape: 'lazy-tree', value: 'code', title: 'name', branch: 'parentCode', maxLength: 12 },
    }),
  ),
  dealers: Nullable(MultiSelect(Reference({ title: ['经销商', 'Dealers'], from: fromMaker }))),
  grade: Nullable(Dictionary({ title: ['等级', 'Grade'], code: 'grade', search: true })),
  madeOn: Nullable(DateOnly({ title: ['制造日期', 'Made on'] })),
  testerId: Nullable(Reference({ title: ['检验方', 'Tested by'], from: { ...fromMaker, input: { name_equal: '海山' } }, form: false })),
});
const gadget = crud('/api/test/gadget', Gadget);

const known = [
  { code: '11', name: '北京市', parent: '', hasChildren: true },
  { code: '1101', name: '东城区', parent: '11', hasChildren: false },
];

const gadgets: InstalledPlugin = {
  migrations: {
    '0001-gadget.sql': `
      create table maker (like base_row including all, name varchar(64) not null); call own_by_tenant('maker');
      create table site (like base_row including all, parent_id bigint not null, name varchar(64) not null); call own_by_tenant('site');
      create table gadget (like base_row including all, name varchar(64) not null, maker_id bigint not null, site_id bigint, region varchar(12), dealers jsonb, grade varchar(64), made_on date, tester_id bigint);
      call own_by_tenant('gadget'); call sort_by('gadget', 'name');`,
  },
  plugin: defineServerPlugin({
    id: 'gadget',
    title: ['器具', 'Gadgets'],
    menus: [
      menu({ code: 'gadget', title: ['器具', 'Gadgets'], path: '/gadget', under: 'desk', buttons: ['add', 'edit', 'export', 'import'] }),
      menu({ code: 'maker', title: ['厂家', 'Makers'], path: '/maker', under: 'desk' }),
    ],
    setup({ db }) {
      const trees = treeRepositoryOf(db, Site);

      return {
        readDictionary: async () => [
          ['a', ['优', 'Excellent']],
          ['b', ['良', 'Good']],
        ],
        routes: [
          crudRoutes(gadget, repositoryOf(db, Gadget)),
          crudRoutes(maker, repositoryOf(db, Maker)),
          crudRoutes(site, trees),
          route(sites, async () => nodesOf(await trees.list(), 'name')),
          route(regions, ({ input: { parentCode = '' } }) => known.filter(({ parent }) => parent === parentCode)),
        ],
      };
    },
  }),
};

let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: [gadgets, 'transfers'] });
  headers = await server.signIn();
  await server.createTenant('rivals');
  await server.sql(`insert into maker (id, tenant_id, name) values
    (1, '000000', '海山'), (2, '000000', '同名'), (3, '000000', '同名'), (4, 'rivals', '外人'), (5, 'rivals', '海山'), (6, '000000', 'A, B')`);
  await server.sql(`insert into site (id, tenant_id, parent_id, name) values (21, '000000', 0, '总部'), (22, '000000', 21, '一层'), (23, '000000', 0, '一层')`);
});
beforeEach(async () => void (await server.sql('truncate gadget')));
afterAll(() => server.stop());

const preview = (content: string | Uint8Array, as = headers) => server.upload(gadget.importPreview.path, { name: 'gadgets.csv', content }, { headers: as });
async function ended(id: string, as = headers) {
  const detail = async () => (await server.get(transfers.detail.path, { headers: as, query: { id } })).data;
  await expect.poll(async () => ['done', 'failed'].includes((await detail()).state), { timeout: 10_000 }).toBe(true);
  return detail();
}
async function imported(content: string | Uint8Array, as = headers) {
  const { data } = await preview(content, as);
  const reply = await server.post(gadget.import.path, { fileId: data.fileId, mapping: data.mapping, mode: 'good' }, { headers: as });
  return ended(reply.data.id, as);
}
const stored = () =>
  server.sql('select name, maker_id::integer as maker, site_id::integer as site, region, dealers, grade, made_on::text as made from gadget order by name');
async function wrong(content: string, as = headers): Promise<string[][]> {
  const { data } = await preview(content, as);
  return data.rows.map(({ problems }: { problems: { message: string }[] }) => problems.map(({ message }) => message));
}
async function exported(format: 'csv' | 'xlsx', more: object = {}): Promise<Buffer> {
  const { data } = await server.post(
    gadget.export.path,
    { format, query: { ascs: 'name' }, fields: Object.keys(Gadget.form.properties).filter((name) => name !== 'id' && name !== 'version'), ...more },
    { headers },
  );
  await ended(data.id);
  const { data: found } = await server.get(transfers.link.path, { headers, query: { id: data.id } });
  return (await server.get(found.link)).body.bytes;
}

test('rows of something else are named by what operators read, dictionaries in either language', async () => {
  const outcome = await imported(
    '名称,厂家,地点,产地,经销商,等级\r\na,海山,总部,东城区,"海山、2",优\r\nb,同名 [3],一层 [22],1101,,good\r\nc,6,23,,同名 [2],b\r\n',
  );
  expect(outcome).toMatchObject({ state: 'done', good: 3, bad: 0 });
  expect(await stored()).toEqual([
    { name: 'a', maker: 1, site: 21, region: '1101', dealers: ['1', '2'], grade: 'a', made: null },
    { name: 'b', maker: 3, site: 22, region: '1101', dealers: null, grade: 'b', made: null },
    { name: 'c', maker: 6, site: 23, region: null, dealers: ['2'], grade: 'b', made: null },
  ]);
});

test('an unknown name, an ambiguous one and one of another tenant are reported with the row', async () => {
  expect(await wrong('名称,厂家,地点,产地\r\na,无名,总部,火星\r\nb,同名,一层,\r\nc,外人,,\r\nd,4,,\r\ne,同名 [1],,\r\n')).toEqual([
    ['厂家「无名」不存在', '产地「火星」不存在'],
    ['厂家「同名」有多条，请填写编号', '地点「一层」有多条，请填写编号'],
    ['厂家「外人」不存在'],
    ['厂家「4」不存在'],
    ['厂家「同名 [1]」不存在'],
  ]);
  expect(await wrong('Name,Maker\r\na,nobody\r\n', { ...headers, 'accept-language': 'en' })).toEqual([['Maker: “nobody” was not found']]);
  expect(await imported('名称,厂家\r\na,无名\r\nb,海山\r\n')).toMatchObject({ good: 1, bad: 1, hasProblems: true });
});

test('users who cannot see the referenced rows do not learn their names', async () => {
  await server.createUser({ account: 'porter', codes: ['gadget', 'gadget_add', 'gadget_import'] });
  const porter = await server.signIn('porter');
  expect(await wrong('名称,厂家\r\na,海山\r\nb,无名\r\n', porter)).toEqual([['厂家格式不正确'], ['厂家格式不正确']]);
  expect(await imported('名称,厂家\r\na,海山\r\nb,1\r\n', porter)).toMatchObject({ good: 1, bad: 1 });
});

test.each(['csv', 'xlsx'] as const)('an export to %s can be imported again unchanged', async (format) => {
  await server.sql(`insert into gadget (tenant_id, name, maker_id, site_id, region, dealers, grade, made_on) values
    ('000000', 'a', 1, 22, '1101', '["2","6"]', 'a', '2026-01-31'), ('000000', 'b', 3, 21, null, null, null, null), ('000000', '=1+1', 999, null, '11', null, 'b', null)`);
  const before = await stored();
  const file = await exported(format);
  if (format === 'csv') expect(file.toString('utf8')).toContain('a,海山,一层 [22],东城区,同名 [2]、6,优,2026-01-31');
  await server.sql("delete from gadget where name <> '=1+1'");
  const outcome = await imported(file);
  expect(outcome).toMatchObject({ good: 2, bad: 1 });
  expect(await stored()).toEqual(before);
});

test('the parent of a row is exported by its name with its id, which an import reads', async () => {
  const exportOf = async (more: object = {}) => {
    const { data } = await server.post(site.export.path, { format: 'csv', fields: ['name', 'parentId'], ids: ['21', '22'], ...more }, { headers });
    await ended(data.id);
    const { data: found } = await server.get(transfers.link.path, { headers, query: { id: data.id } });
    return (await server.get(found.link)).body.bytes.toString('utf8') as string;
  };
  const file = await exportOf();
  expect(file.replace('\uFEFF', '').trim().split('\r\n').sort()).toEqual(['一层,总部 [21]', '名称,上级', '总部,0']);
  expect(await exportOf({ withIds: true })).toContain('一层,总部 [21],21');
  const { data } = await server.upload(site.importPreview.path, { name: 'sites.csv', content: file.replace('一层', '二层') }, { headers });
  const reply = await server.post(site.import.path, { fileId: data.fileId, mapping: data.mapping, mode: 'good' }, { headers });
  expect(await ended(reply.data.id)).toMatchObject({ good: 2, bad: 0 });
  expect(await server.sql("select parent_id::integer as parent from site where name = '二层'")).toEqual([{ parent: 21 }]);
});

test('ids stand beside the references if they are requested, and no import reads them', async () => {
  await server.sql(`insert into gadget (tenant_id, name, maker_id, site_id, region, dealers) values ('000000', 'a', 1, null, '1101', '["2","6"]')`);
  const before = await stored();
  const file = (await exported('csv', { withIds: true })).toString('utf8');
  expect(file.trim().split('\r\n').slice(-2)).toEqual([
    '名称,厂家,厂家（编号）,地点,地点（编号）,产地,产地（编号）,经销商,经销商（编号）,等级,制造日期',
    'a,海山,1,,,东城区,1101,同名 [2]、6,"2,6",,',
  ]);
  await server.sql('delete from gadget');
  expect((await preview(file)).data.mapping.map(({ column }: { column: number }) => column)).toEqual([0, 1, 3, 5, 7, 9, 10]);
  expect(await imported(file)).toMatchObject({ good: 1, bad: 0 });
  expect(await stored()).toEqual(before);
});

test('a file is named after the list, its filters as users read them, and the day', async () => {
  const nameOf = async (query: object, as = headers) => {
    const { data } = await server.post(gadget.export.path, { format: 'csv', query, ids: ['1'] }, { headers: as });
    return (await ended(data.id, as)).fileName;
  };
  const [day] = await server.sql("select to_char(now(), 'YYYY-MM-DD') as day");
  expect(await nameOf({ makerId_equal: '1', grade: 'a', descs: 'name' })).toBe(`器具_厂家-海山_等级-优_已选1项_${day?.day}.csv`);
  const english = { ...headers, 'accept-language': 'en' };
  const query = { createTime_dategt: '2026-01-01 00:00:00', createTime_datelt: '2026-02-01 00:00:00' };
  expect(await nameOf(query, english)).toBe(`Gadgets_Created-2026-01-01-2026-02-01_1 selected_${day?.day}.csv`);
});

test('the parts of a file name are safe and leave room for the ending', () => {
  expect(fileName(['a/b:c*?"<>|_d', '..', 'e\n'], '_2026-11-24.xlsx')).toBe('a b c d_e_2026-11-24.xlsx');
  const long = fileName(['任务列表', '标题-'.repeat(40)], '_2026-11-24.xlsx');
  expect(long).toHaveLength(80);
  expect(long).toMatch(/^任务列表_标题-.*…_2026-11-24\.xlsx$/);
});

test('a template shows an example that no import takes', async () => {
  const { data } = await server.get(gadget.importTemplate.path, { headers });
  const { bytes } = (await server.get(data.link)).body;
  const book = await openXlsx(bytes);
  const rows = book.sheets[0]?.rows;
  expect(rows?.[1]).toEqual(['【示例行，导入时忽略】名称', '厂家', '地点', '产地', '经销商', '优', '2026-01-31']);
  expect(await preview(bytes)).toMatchObject({ status: 400, msg: '文件中没有数据' });
  rows?.push(['a', '海山']);
  const filled = Buffer.from(await saveXlsx(book));
  expect((await preview(filled)).data).toMatchObject({ total: 1, rows: [{ row: 3, problems: [] }] });
  expect(await imported(filled)).toMatchObject({ total: 1, good: 1, bad: 0 });
  expect(await imported('名称,厂家\r\n"[Example row, not imported] x",1\r\n示例,1\r\n')).toMatchObject({ total: 1, good: 1 });
});

test('a value that a filter of its picker leaves out is exported by its title', async () => {
  await server.sql("insert into gadget (tenant_id, name, maker_id, tester_id) values ('000000', 'a', 1, 6)");
  expect(String(await exported('csv', { fields: ['name', 'testerId'] }))).toContain('a,"A, B"');
});
