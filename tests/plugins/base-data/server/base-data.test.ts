import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Advertiser, Category, City, Platform, TaskGrade } from '#plugins/base-data/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const base = '/api/oms-system/base';
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

const post = (call: string, form: object, headers = admin) => server.post(`${base}/${call}`, form, { headers });
const get = (call: string, query: Record<string, string> = {}, headers = admin) => server.get(`${base}/${call}`, { headers, query });
const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

test('the tables match the entities', async () => {
  for (const entity of [Advertiser, Platform, Category, TaskGrade, City]) expect(await compareTables(server.db, entity)).toEqual([]);
});

const bakery = { name: '面包店', contact_name: '王小麦', contact_phone: '13800000001' };

test('an advertiser belongs to the department and company of its creator, with any input', async () => {
  const claims = { departid: '999', companyid: '999', created_at: '2001-01-01 00:00:00', updated_at: '2001-01-01 00:00:00', createDept: '999' };
  const { userId } = await server.createUser({ account: 'seller', codes: ['advertiser', 'advertiser_add', 'advertiser_edit'] });
  const { data: dept } = await server.post(
    '/api/things-system/dept/submit',
    { deptName: '华东公司', fullName: '华东公司', parentId: '0', sort: 1 },
    { headers: admin },
  );
  await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${dept.id})`);
  const seller = await server.signIn('seller');
  const added = await post('addadvertiser', { ...bakery, city_code: '440305', balance: 1234567, ...claims }, seller);
  expect(added.data).toMatchObject({ departid: dept.id, companyid: dept.id, province_code: '44', balance: 0, credit_limit: 0, status: 1 });
  expect(added.data.created_at).toBe(added.data.createTime);
  const edited = await post('addadvertiser', { ...added.data, ...claims, id: added.data.id, short_name: '面包' }, admin);
  expect(edited.data).toMatchObject({ departid: dept.id, companyid: dept.id, short_name: '面包', created_at: added.data.created_at });
  expect(edited.data.updated_at).toBe(edited.data.updateTime);
});

test('users see the advertisers of their own company and its subsidiaries, and administrators see all; a filter that the client sends adds no rows', async () => {
  const dept = async (deptName: string, parentId: string) =>
    (await server.post('/api/things-system/dept/submit', { deptName, fullName: deptName, parentId, sort: 1 }, { headers: admin })).data.id;
  const parent = await dept('集团', '0');
  const child = await dept('分公司', parent);
  const staff = async (account: string, deptId?: string) => {
    const { userId } = await server.createUser({ account, codes: ['advertiser', 'advertiser_add', 'advertiser_edit', 'advertiser_delete'] });
    if (deptId) await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${deptId})`);
    return server.signIn(account);
  };
  const [above, below, outsider] = [await staff('above', parent), await staff('below', child), await staff('outsider')];
  await post('addadvertiser', { ...bakery, name: '集团客户' }, above);
  const { data: own } = await post('addadvertiser', { ...bakery, name: '分公司客户' }, below);
  await post('addadvertiser', { ...bakery, name: '散客' }, outsider);
  const clientFilter = { isadmin: '0', companyid: parent, current: '1', size: '50' };
  const visibleNames = async (headers: Record<string, string>) => names((await get('advertiserlist', clientFilter, headers)).data.records).sort();
  expect(await visibleNames(above)).toEqual(['分公司客户', '集团客户']);
  expect(await visibleNames(below)).toEqual(['分公司客户']);
  expect(await visibleNames(outsider)).toEqual(['散客']);
  expect(await visibleNames(admin)).toEqual(['集团客户']);
  const all = await get('advertiserlist', { size: '50' }, admin);
  expect(names(all.data.records)).toEqual(expect.arrayContaining(['分公司客户', '集团客户', '散客']));
  expect(names((await get('advertiser/select', {}, below)).data.records)).toEqual(['分公司客户']);
  expect(await get('advertiser/detail', { id: own.id }, outsider)).toMatchObject({ status: 404 });
  expect(await post('addadvertiser', { ...bakery, id: own.id, name: '抢来的' }, outsider)).toMatchObject({ status: 404 });
  expect(await post('advertiser/remove', { ids: [own.id] }, outsider)).toMatchObject({ status: 404 });
});

test('a picker returns names only, to all signed-in users', async () => {
  await server.createUser({ account: 'picker' });
  const picker = await server.signIn('picker');
  await post('addplatform', { name: '停用平台', code: 'off', status: 0, sort: 9 });
  const { data: platforms } = await get('platform/select', {}, picker);
  expect(names(platforms)).not.toContain('停用平台');
  const [row] = await server.sql(`select id::text as id from platform where code = 'off'`);
  expect(names((await get('platform/select', { ids: String(row?.id) }, picker)).data)).toEqual(['停用平台']);
  const { data: page } = await get('advertiser/select', { name: '面包' });
  expect(page.records[0]).not.toHaveProperty('contact_phone');
  expect(await get('advertiserlist', {}, picker)).toMatchObject({ status: 403 });
});

test('the link patterns of a platform are validated, and identify the platform of a link', async () => {
  const form = { name: '抖音', code: 'douyin', link_pattern: '*.douyin.com/video/*\n*.iesdouyin.com/share/**' };
  expect(await post('addplatform', { ...form, link_pattern: 'www.douyin.com\n(a+)+$' })).toMatchObject({ status: 400, msg: '链接规则第 2 行格式不正确' });
  expect(await post('addplatform', form)).toMatchObject({ code: 200 });
  expect(await post('addplatform', form)).toMatchObject({ status: 409 });
  expect(names((await get('platform/match', { link: 'https://www.douyin.com/video/7300' })).data)).toEqual(['抖音']);
  expect((await get('platform/match', { link: 'https://evil.cn/video/7300' })).data).toEqual([]);
});

test('categories are listed as a tree and as a page, and clients may send the parent as pid', async () => {
  const { data: video } = await post('addcategory', { name: '视频' });
  const { data: short } = await post('addcategory', { name: '短视频', pid: video.id });
  expect(short).toMatchObject({ pid: video.id, parentId: video.id });
  expect((await get('category/list')).data).toMatchObject([{ name: '视频', children: [{ name: '短视频' }] }]);
  expect((await get('categorylist', { current: '1', size: '10' })).data).toMatchObject({ total: 2 });
  expect((await get('category/tree')).data).toMatchObject([{ title: '视频', children: [{ title: '短视频', value: short.id }] }]);
  expect(await post('addcategory', { id: video.id, name: '视频', pid: short.id })).toMatchObject({ status: 409 });
  expect(await post('category/remove', { ids: [video.id] })).toMatchObject({ status: 409 });
});

test('a batch edit is validated like a form: by the bounds of each field and by the rules between the fields of each row', async () => {
  const { data } = await post('addtaskgrade', { name: '批量', level: 40, min_price: 500, max_price: 2000 });
  const edit = (values: object) => post('task-grade/bulk-submit', { ids: [data.id], values });
  expect(await edit({ max_price: 499 })).toMatchObject({ status: 400, body: { field: 'max_price' }, msg: '最高单价不能低于最低单价' });
  expect(await edit({ min_price: -5000 })).toMatchObject({ status: 400, body: { field: 'min_price' } });
  expect(await edit({ min_price: 30055.5 })).toMatchObject({ status: 400, msg: '最低单价最多2位小数' });
  expect(await edit({ max_price: 600 })).toMatchObject({ code: 200 });
  expect(await post('task-grade/remove', { ids: [data.id] })).toMatchObject({ code: 200 });
});

test('a grade has a range of prices in whole cents (fen)', async () => {
  const grade = { name: '达人', level: 3, min_price: 500, max_price: 2000 };
  expect(await post('addtaskgrade', { ...grade, max_price: 499 })).toMatchObject({ status: 400, msg: '最高单价不能低于最低单价' });
  expect(await post('addtaskgrade', { ...grade, min_price: 0.5 })).toMatchObject({ status: 400 });
  const { data } = await post('addtaskgrade', grade);
  expect(data).toMatchObject({ min_price: 500, max_price: 2000, max_daily: 0 });
  expect(await post('addtaskgrade', { ...grade, id: data.id, min_price: 2001 })).toMatchObject({ status: 400 });
  expect(await post('addtaskgrade', { ...grade, id: data.id, max_price: 0 })).toMatchObject({ code: 200 });
  expect((await get('taskgradelist')).data).toMatchObject({ total: 1, records: [{ name: '达人' }] });
});

test('a city is a region of the country and takes its name and province from there', async () => {
  const { data: shenzhen } = await post('addcity', { code: '4403', tier: 1 });
  expect(shenzhen).toMatchObject({ name: '深圳市', province: '广东省', tier: 1 });
  expect((await post('addcity', { id: shenzhen.id, code: '4403', name: '深圳' })).data).toMatchObject({ name: '深圳', province: '广东省' });
  expect((await post('addcity', { id: shenzhen.id, code: '4401' })).data).toMatchObject({ name: '深圳', code: '4401' });
  expect((await post('addcity', { code: '1101', tier: 2 })).data).toMatchObject({ name: '北京市', province: '北京市' });
  expect(await post('addcity', { code: '4401' })).toMatchObject({ status: 409 });
  expect(await post('addcity', { code: '44' })).toMatchObject({ status: 400, msg: '请选择地市或区县' });
  expect(await post('addcity', { code: '998877' })).toMatchObject({ status: 400, msg: '行政区划不存在' });
  expect((await get('citylist', { tier_equal: '1' })).data.records).toMatchObject([{ name: '深圳' }]);
});

test('another tenant has separate base data', async () => {
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['platform', 'platform_add', 'city', 'advertiser'], roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect((await get('platform/select', {}, rival)).data).toEqual([]);
  expect((await get('city/select', {}, rival)).data).toEqual([]);
  expect((await get('advertiserlist', { isadmin: '0' }, rival)).data.total).toBe(0);
  expect(await post('addplatform', { name: '抖音', code: 'douyin' }, rival)).toMatchObject({ code: 200 });
});
