import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const base = '/api/oms-system/base';
const bakery = { name: '面包店', contact_name: '王小麦', contact_phone: '13800000001' };
let office: TaskOffice;
let taskId: string;
let cityId: string;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['payment', 'codegen'] });
  const { data: city } = await office.post(`${base}/addcity`, { code: '4403' });
  cityId = city.id;
  taskId = await office.publishTask({ cityIds: [cityId] });
});
afterAll(() => office.server.stop());

const remove = (path: string, id: string) => office.post(`${base}/${path}/remove`, { ids: [id] });
/** The use by one task that a refusal names. */
const taskUse = (condition: string, value: string) => ({
  title: ['任务列表', 'Tasks'],
  count: 1,
  rows: { menu: 'tasks', list: `${taskPath}/getList`, conditions: [{ field: condition, operator: 'equal', value }] },
});

test('base data of a task cannot be deleted, and the refusal links to the task', async () => {
  const { advertiserId, platformId, categoryId, gradeId } = office.requiredIds;
  const refused = [
    [await remove('platform', platformId), taskUse('platformId', platformId), '抖音'],
    [await remove('category', categoryId), taskUse('categoryId', categoryId), '短视频'],
    [await remove('task-grade', gradeId), taskUse('gradeId', gradeId), '普通'],
    [await remove('city', cityId), taskUse('cityIds', cityId), undefined],
    [await remove('advertiser', advertiserId), taskUse('advertiserId', advertiserId), '面包店'],
  ] as const;
  for (const [reply, use, name] of refused) {
    expect(reply).toMatchObject({ status: 409, data: { uses: [use] } });
    if (name) expect(reply.msg).toBe(`「${name}」正在使用中，无法删除，可改为归档`);
  }
});

test('a region of a city or an advertiser, and a dictionary entry of an advertiser, cannot be deleted', async () => {
  const [region] = await office.server.sql("select id::text as id from region where code = '4403'");
  await office.post(`${base}/addadvertiser`, { ...bakery, id: office.requiredIds.advertiserId, industry: 'retail', city_code: '440305' });
  const [district] = await office.server.sql("select id::text as id from region where code = '440305'");
  expect(await office.post('/api/blade-system/region/remove', { ids: [district?.id] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
  expect(await office.post('/api/blade-system/region/remove', { ids: [region?.id] })).toMatchObject({ status: 409 });
  const parent = (await office.server.sql("select id::text as id from dict where code = 'industry' and parent_id = 0 and is_deleted = 0"))[0]?.id as string;
  const entry = { parentId: parent, dictKey: 'retail', dictValue: '零售', sort: 99 };
  const added = await office.post('/api/blade-system/dict/submit', entry);
  const id = added.data?.id ?? (await office.server.sql("select id::text as id from dict where code = 'industry' and dict_key = 'retail'"))[0]?.id;
  expect(await office.post('/api/blade-system/dict/remove', { ids: [id] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
});

test('an advertiser with money in the ledger cannot be deleted, even without tasks', async () => {
  const { data: advertiser } = await office.post(`${base}/addadvertiser`, { name: '书店', contact_name: '陈书', contact_phone: '13800000002' });
  await office.post('/api/things-task/ledger/submit', { advertiserId: advertiser.id, amount: 5000 });
  expect(await remove('advertiser', advertiser.id)).toMatchObject({
    status: 409,
    data: {
      uses: [
        { title: ['资金流水', 'Ledger'], count: 2 },
        { title: ['收退款', 'Receipts'], count: 1 },
      ],
    },
  });
});

test('a task with an approved submission cannot be deleted', async () => {
  const { headers: ann } = await office.createMember('ann');
  const { headers: eve } = await office.createAuditor('eve');
  const submission = await office.submitProof(taskId, ann);
  await office.post(`${taskPath}/doAudit`, { ids: [submission], status: 1 }, eve);
  expect((await office.post(`${taskPath}/xiajia`, { ids: [taskId] })).code).toBe(200);
  expect(await office.post(`${taskPath}/remove`, { ids: [taskId] })).toMatchObject({
    status: 409,
    data: { uses: [{ title: ['已通过的提交', 'Approved submissions'], count: 1, rows: { menu: 'task_record' } }] },
  });
});

test('a data source with a model and a model with a generated plugin cannot be deleted', async () => {
  const [source] = await office.server.sql('select id::text as id from datasource');
  const form = { modelName: '样例', datasourceId: source?.id, modelTable: 'dict', modelClass: 'Other', modelCode: 'other' };
  const { data: model } = await office.post('/api/blade-develop/model/submit', form);
  expect(await office.post('/api/blade-develop/datasource/remove', { ids: [source?.id] })).toMatchObject({ status: 409 });
  await office.server.sql(
    `insert into code (code_name, english_name, model_id, service_name, table_name, template_type, menu_group, api_path, web_path)
     values ('样例', 'Samples', ${model.id}, 'sample', 'sample', 'crud', 'base', '/api/a/b', '/a/b')`,
  );
  expect(await office.post('/api/blade-develop/model/remove', { ids: [model.id] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
});
