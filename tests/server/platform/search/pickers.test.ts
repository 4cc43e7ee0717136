import { expect, test } from '@rstest/core';
import { AdvertiserId, advertiser } from '../../../../src/plugins/base-data/contract.ts';
import { jobInfo } from '../../../../src/plugins/job/contract.ts';
import { traitsOf } from '../../../../src/shared/contract/fields.ts';
import { type TestServer, testServer } from '../../../support/test-server.ts';

const tenantId = '000000';
const addUser = (server: TestServer, account: string, name: string) =>
  server.sql(`insert into user_account (tenant_id, account, password_hash, name, real_name) values ('${tenantId}', '${account}', 'x', '', '${name}')`);

test('people are found by pinyin where a role gets members, a permission is explained and a job alerts them', async () => {
  const server = await testServer({ plugins: ['organization', 'access', 'job', 'region', 'base-data'] });
  const headers = await server.signIn();
  await addUser(server, 'zs01', '单雄信');
  const { roleId } = await server.createUser({ account: 'member', codes: [] });
  const found = async (path: string, query: Record<string, string>) => {
    const { data } = await server.get(path, { headers, query });
    return (data as { account?: string; name?: string }[]).map(({ account, name }) => account ?? name);
  };
  for (const text of ['sxx', 'danxiong', '雄信', 'ZS0', 's01']) {
    expect([text, await found('/api/blade-system/role/candidates', { roleId, text })]).toEqual([text, ['zs01']]);
    expect([text, await found('/api/blade-system/permission/people', { text })]).toEqual([text, ['zs01']]);
    expect([text, await found(jobInfo.people.path, { name: text })]).toEqual([text, ['单雄信']]);
  }
  expect(await found('/api/blade-system/permission/people', { text: 'member' })).toEqual(['member']);
  expect(await found('/api/blade-system/role/candidates', { roleId, text: 'member' })).toEqual([]);
});

test('the picker of advertisers finds enabled rows of the tenant by pinyin', async () => {
  const server = await testServer({ plugins: ['organization', 'region', 'base-data'] });
  const headers = await server.signIn();
  await server.createTenant('100001');
  const add = (name: string, status: number, of = tenantId) =>
    server.sql(`insert into advertiser (tenant_id, name, contact_name, contact_phone, status) values ('${of}', '${name}', '李雷', '13800000000', ${status})`);
  await add('晨麦食品', 1);
  await add('晨麦停用', 0);
  await add('晨麦他人', 1, '100001');
  const { path, search = '' } = traitsOf(AdvertiserId({ title: ['广告主', 'Advertiser'] }))?.reference ?? { path: '' };
  expect([path, search]).toEqual([advertiser.select.path, 'name_match']);
  for (const text of ['cm', 'chenmai', '麦食', '晨麦']) {
    const { data } = await server.get(path, { headers, query: { [search]: text } });
    expect([text, data.records.map(({ name }: { name: string }) => name)]).toEqual([text, ['晨麦食品']]);
  }
});

test('the workflows of a server and tenants are found by pinyin', async () => {
  const server = await testServer({ plugins: ['organization', 'job', 'tenant', 'plugins'] });
  const headers = await server.signIn();
  await server.sql("insert into job_server (tenant_id, job_server_name, job_app_name) values ('000000', 's', 'a')");
  const [{ id } = {}] = await server.sql('select max(id)::text as id from job_server');
  await server.sql(
    `insert into job_workflow (tenant_id, job_server_id, workflow_name, enable, failure_policy, time_expression_type) values ('000000', ${id}, '每日结算', 1, 1, 1)`,
  );
  for (const name of ['mrjs', '结算', '日'])
    expect((await server.get(jobInfo.workflows.path, { headers, query: { jobServerId: String(id), name } })).data).toMatchObject([{ name: '每日结算' }]);
  expect((await server.get(jobInfo.workflows.path, { headers, query: { jobServerId: '1', name: 'mrjs' } })).data).toEqual([]);
  await server.createTenant('100001');
  await server.sql("update tenant set tenant_name = '东方物流' where tenant_id = '100001'");
  for (const name of ['dfwl', '方物', '10000'])
    expect((await server.get('/api/blade-system/plugin/tenants', { headers, query: { name } })).data).toEqual([{ id: '100001', name: '东方物流' }]);
});
