import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Region, RegionCode, type RegionSubmit, region, regionProblems } from '#plugins/region/contract';
import { Regions } from '../../../../src/plugins/region/server/regions.ts';
import { listSeedRegions } from '../../../../src/plugins/region/server/seed-regions.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-system/region';
let server: TestServer;
let admin: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['region', 'transfers'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

const get = async (call: string, query: Record<string, string> = {}) => (await server.get(`${path}/${call}`, { headers: admin, query })).data;
const submit = (form: object) => server.post(`${path}/submit`, { sort: 1, ...form }, { headers: admin });
const titles = (nodes: { title: string }[]) => nodes.map(({ title }) => title);

test('the table matches the entity', async () => expect(await compareTables(server.db, Region)).toEqual([]));

test('a new deployment has the divisions of China down to districts, each below the prefix of its code', async () => {
  const first = listSeedRegions();
  const codes = new Set(first.map(({ code }) => code));
  expect(codes.size).toBe(first.length);
  expect(first.filter(({ level }) => level === 1)).toHaveLength(34);
  expect(first.filter(({ level }) => level === 2).length).toBeGreaterThan(330);
  expect(first.filter(({ level }) => level === 3).length).toBeGreaterThan(2800);
  expect(
    first.filter(({ parentCode, code }) => parentCode !== '0' && !(codes.has(parentCode) && (parentCode === '00' || code.startsWith(parentCode)))),
  ).toEqual([]);
  const [counted] = await server.sql(`select count(*)::integer as all, count(*) filter (where parent_id = 0)::integer as roots from region`);
  expect(counted).toEqual({ all: first.length, roots: 1 });
});

test('the lazy tree opens from the country to districts, in codes', async () => {
  const provinces = await get('lazy-tree');
  expect(provinces).toHaveLength(34);
  expect(provinces[0]).toEqual({ id: '11', parentId: '00', title: '北京市', value: '11', key: '11', hasChildren: true });
  expect(titles(await get('lazy-tree', { parentCode: '44' }))).toEqual(expect.arrayContaining(['广州市', '深圳市', '东莞市']));
  const districts = await get('lazy-tree', { parentCode: '4403' });
  expect(districts.find(({ title }: { title: string }) => title === '南山区')).toMatchObject({ value: '440305', hasChildren: false });
  expect(titles(await get('lazy-tree', { parentCode: '4290' }))).toContain('仙桃市');
  expect(titles(await get('lazy-tree', { codes: '440305,1101' }))).toEqual(expect.arrayContaining(['广东省 / 深圳市 / 南山区', '北京市 / 市辖区']));
});

test('the detail of a code says where it lies', async () => {
  expect(await get('detail', { code: '440305' })).toMatchObject({
    name: '南山区',
    parentCode: '4403',
    parentName: '深圳市',
    ancestors: '00,44,4403',
    regionLevel: 3,
    level: 3,
    provinceName: '广东省',
    cityName: '深圳市',
    districtName: '南山区',
    townName: null,
  });
  expect((await get('select', { code: '4403' })).map(({ code }: { code: string }) => code)).toContain('440305');
  expect(await server.get(`${path}/detail`, { headers: admin, query: { code: '999' } })).toMatchObject({ status: 404 });
});

test('a region is added by its code, renamed everywhere, and removed if it has no children', async () => {
  const { data: town } = await submit({ code: '440305001', name: '南头街道', parentCode: '440305' });
  expect(town).toMatchObject({ regionLevel: 4, ancestors: '00,44,4403,440305', townName: '南头街道', districtName: '南山区', parentCode: '440305' });
  const { data: village } = await submit({ code: '440305001001', name: '村' });
  expect(village).toMatchObject({ parentId: town.id, villageName: '村' });
  await submit({ id: town.id, code: town.code, name: '南头' });
  expect(await get('detail', { code: village.code })).toMatchObject({ townName: '南头' });
  const remove = (id: string) => server.post(`${path}/remove`, { id }, { headers: admin });
  expect(await remove(town.code)).toMatchObject({ status: 409, msg: '请先删除子节点!' });
  expect([await remove(village.code), await remove(town.code)]).toMatchObject([{ code: 200 }, { code: 200 }]);
  expect(await remove(town.code)).toMatchObject({ status: 404 });
});

test('a code is unique, begins with its parent’s, and cannot be changed', async () => {
  const said = ({ msg }: { msg: string }) => msg;
  expect(said(await submit({ code: '44', name: '广东' }))).toBe(regionProblems.taken.message[0]);
  expect(said(await submit({ code: '550000', name: '错', parentCode: '44' }))).toBe('区划编号须以上级编号 44 开头');
  expect(said(await submit({ code: '4499', name: '错', parentCode: '77' }))).toBe(regionProblems.noParent.message[0]);
  const guangdong = await get('detail', { code: '44' });
  expect(said(await submit({ id: guangdong.id, code: '45', name: '广东省' }))).toBe(regionProblems.fixed.message[0]);
  expect(said(await submit({ code: 'abc', name: '错' }))).toContain('区划编号');
});

test('submitting an existing code with its parent edits it, as in BladeX', async () => {
  expect((await submit({ code: '4403', name: '深圳市', parentCode: '44', remark: '特区' })).data).toMatchObject({ code: '4403', remark: '特区' });
});

test('a form with codes identifies the region by its code, with any id', async () => {
  const city = await get('detail', { code: '4403' });
  const district = await get('detail', { code: '440305' });
  // Consoles fill the form of a child region from its parent, id included.
  expect((await submit({ ...city, code: '440399', name: '新下级区', parentCode: '4403' })).data).toMatchObject({
    code: '440399',
    parentCode: '4403',
    cityName: '深圳市',
  });
  expect(await get('detail', { code: '4403' })).toMatchObject({ id: city.id, name: '深圳市' });
  const renamed = await submit({ id: city.id, code: '440399', name: '改名区', parentCode: '4403' });
  expect(renamed.data).toMatchObject({ code: '440399', name: '改名区' });
  // Nodes of the lazy tree use codes as ids.
  expect((await submit({ id: '440399', code: '440399', name: '按编号改' })).data).toMatchObject({ name: '按编号改' });
  expect(await get('detail', { code: '440305' })).toEqual(district);
  expect(await submit({ id: '440399', code: '440399', name: '移走', parentCode: '4401' })).toMatchObject({ status: 409, msg: regionProblems.fixed.message[0] });
  expect(await submit({ id: '999999', code: '449999', name: '没有' })).toMatchObject({ status: 404 });
  await server.createUser({ account: 'editor', codes: ['region', 'region_edit'] });
  const editor = await server.signIn('editor');
  const asEditor = (form: object) => server.post(`${path}/submit`, { sort: 1, ...form }, { headers: editor });
  expect((await asEditor({ id: city.id, code: '440398', name: '越权新增', parentCode: '4403' })).status).toBe(403);
  expect((await asEditor({ id: city.id, code: '440399', name: '可以改', parentCode: '4403' })).status).toBe(200);
  await server.post(`${path}/remove`, { id: '440399' }, { headers: admin });
});

test('a field that picks a region walks down the lazy tree and stores a code', () => {
  expect(RegionCode({ title: ['所在地', 'Location'], search: true })).toMatchObject({
    type: 'string',
    maxLength: 12,
    field: {
      widget: 'reference',
      search: true,
      reference: { path: region.lazyTree.path, shape: 'lazy-tree', cascades: true, branch: 'parentCode', lookup: 'codes' },
    },
  });
});

test('rows of a sheet are placed by their codes, and an invalid one does not affect the others', async () => {
  const sheet = new Regions(server.db).sheetOf(false);
  const rows = [
    { code: '4498', name: '新市', sort: 1 },
    { code: '449801', name: '新区', sort: 1 },
    { code: '44', name: '又一个', sort: 1 },
  ] as RegionSubmit[];
  const added = await server.db.write({ tenantId: '000000' }, () => sheet.addAll(rows));
  expect(added.map((row) => ('problem' in row ? row.problem.message[0] : [row.regionLevel, row.ancestors]))).toEqual([
    [2, '00,44'],
    [3, '00,44,4498'],
    regionProblems.taken.message[0],
  ]);
});

test('a sheet of a BladeX-compatible product names new regions and, if it covers, existing ones', async () => {
  const bring = (content: string, isCovered: string) =>
    server.upload('/api/blade-system/region/import-region', { name: 'regions.csv', content }, { headers: admin, query: { isCovered } });
  const sheet = '区划编号,区划名称,排序\n4401990,试验镇,1\n';
  expect((await bring(sheet, '0')).data).toMatchObject({ state: 'done', good: 1 });
  expect((await bring(sheet.replace('试验', '改名'), '0')).data.rows).toMatchObject([{ row: 2, field: 'code' }]);
  expect((await bring(sheet.replace('试验', '改名'), '1')).data).toMatchObject({ state: 'done', good: 1 });
  const file = await server.get('/api/blade-system/region/export-region', { headers: admin, query: { code_equal: '4401990' } });
  expect(file.headers['content-disposition']).toContain('.xlsx');
  expect((await server.get('/api/blade-system/region/detail', { headers: admin, query: { code: '4401990' } })).data.name).toBe('改名镇');
  expect((await server.get('/api/blade-system/region/export-template', { headers: admin })).headers['content-disposition']).toContain('attachment');
});
