import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { dict, dictBiz } from '#plugins/dictionary/contract';
import { DictSaved } from '#plugins/dictionary/events';
import { listen } from '../../../support/live-listener.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let admin: Record<string, string>;
let rival: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary'] });
  admin = await server.signIn();
  await server.createTenant('rivals');
  await server.createUser({
    account: 'rival',
    codes: ['dict', 'dict_add', 'dict_biz', 'dict_biz_add', 'dict_biz_edit', 'dict_biz_delete'],
    roleAlias: 'admin',
    tenantId: 'rivals',
  });
  rival = await server.signIn('rival', 'rivals');
});
afterAll(() => server.stop());

const submit = (form: object, headers: Record<string, string>) => server.post(dictBiz.submit.path, { sort: 1, isSealed: 0, ...form }, { headers });
const values = async (code: string, headers: Record<string, string>) =>
  (await server.get(dictBiz.dictionary.path, { headers, query: { code } })).data.map(({ dictKey, dictValue, tone }: Record<string, string>) => [
    dictKey,
    dictValue,
    tone,
  ]);

test('each tenant has separate business dictionaries with the same codes', async () => {
  for (const [headers, name] of [
    [admin, '电视'],
    [rival, '广播'],
  ] as const) {
    const head = (await submit({ code: 'channel', dictValue: '渠道' }, headers)).data;
    expect(head).toMatchObject({ parentId: '0', dictKey: '-1' });
    await submit({ parentId: head.id, dictKey: '1', dictValue: name, tone: 'good' }, headers);
    await submit({ parentId: head.id, dictKey: '2', dictValue: '停用', isSealed: 1 }, headers);
    expect(await submit({ parentId: head.id, dictKey: '1', dictValue: '又' }, headers)).toMatchObject({ status: 409, msg: '当前字典键值已存在!' });
    expect(await server.post(dictBiz.remove.path, { ids: head.id }, { headers })).toMatchObject({ status: 409, msg: '请先删除子节点!' });
  }
  expect(await values('channel', admin)).toEqual([['1', '电视', 'good']]);
  expect(await values('channel', rival)).toEqual([['1', '广播', 'good']]);
});

test('system dictionaries stay the platform’s to write', async () => {
  expect(await server.post(dict.submit.path, { code: 'own', dictValue: 'own', sort: 1, isSealed: 0 }, { headers: rival })).toMatchObject({ status: 403 });
});

test('the routes of flows are read from the dictionary flow: code, key and remark of each', async () => {
  const post = (form: object) => server.post(dict.submit.path, { sort: 1, isSealed: 0, ...form }, { headers: admin });
  const { data: head } = await post({ code: 'flow', dictValue: '流程类型' });
  await post({ parentId: head.id, dictKey: '1', dictValue: '请假流程', remark: 'leave' });
  const { data } = await server.get(dict.dictionary.path, { headers: rival, query: { code: 'flow' } });
  expect(data.map(({ code, dictKey, remark }: Record<string, string>) => ({ code, dictKey, remark }))).toEqual([
    { code: 'flow', dictKey: '1', remark: 'leave' },
  ]);
});

test('all consoles are notified of a change of a system dictionary, and those of the tenant of its own', async () => {
  const [ours, theirs] = await Promise.all([listen(server, admin), listen(server, rival)]);
  await submit({ code: 'heard', dictValue: '听' }, admin);
  await server.post(dict.submit.path, { code: 'heard_too', dictValue: '听', sort: 1, isSealed: 0 }, { headers: admin });
  const codesOf = async ({ next }: typeof ours) => {
    const codes: string[] = [];
    while (codes.at(-1) !== 'heard_too') codes.push(((await next(DictSaved.name)).payload as { code: string }).code);
    return codes;
  };
  expect(await codesOf(ours)).toContain('biz/heard');
  expect(await codesOf(theirs)).not.toContain('biz/heard');
});
