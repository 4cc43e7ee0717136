import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';

let office: TaskOffice;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['tenant', paymentWith({ gateway: new ScriptedGateway() })] });
});
afterAll(() => office.server.stop());

test('the plugins count a tenant’s rows and sums before it is deleted', async () => {
  await office.publishTask();
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 });
  const [row] = await office.server.sql(
    "select id::text as id, (select count(*)::integer from user_account where tenant_id = '000000' and is_deleted = 0) as users from tenant where tenant_id = '000000'",
  );
  const { code, data } = await office.get('/api/blade-system/tenant/holdings', { id: String(row?.id) });
  expect(code).toBe(200);
  expect(data).toEqual([
    { title: ['用户', 'Users'], count: row?.users },
    { title: ['任务', 'Tasks'], count: 1 },
    { title: ['凭证', 'Submissions'], count: 0 },
    { title: ['有余额的广告主', 'Advertisers with a balance'], count: 1, amount: 1_000_000 },
    { title: ['未完成的付款单', 'Open payouts'], count: 0, amount: 0 },
    { title: ['已付付款单', 'Paid payouts'], count: 0, amount: 0 },
  ]);
});
