import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { paymentGauges } from '../../../../src/plugins/payment/server/gauges.ts';
import { openPayoutDesk, type PayoutDesk } from '../../../support/payout-desk.ts';
import { deployedWith } from '../../../support/scripted-gateway.ts';
import { WechatPayServer } from '../../../support/wechat-pay-server.ts';

let wechat: WechatPayServer;
let desk: PayoutDesk;

beforeAll(async () => {
  wechat = new WechatPayServer();
  desk = await openPayoutDesk([deployedWith('wechat-pay', { address: await wechat.listen() })]);
  const added = await desk.office.post('/api/things-task/pay-channel/submit', wechat.channel());
  await desk.office.post('/api/things-task/pay-channel/enable', { id: added.data.id });
});
afterAll(async () => {
  await desk.office.server.stop();
  await wechat.close();
});

test('metrics count payouts by state, and measure for how long one is overdue', async () => {
  const { db, sql } = desk.office.server;
  const read = async () => {
    const [counts, lag] = await db.asPlatform('reads metrics as the host does', async () => {
      const values = [];
      for (const gauge of paymentGauges({ db })) values.push(await gauge.read());
      return values;
    });
    return { states: Object.fromEntries((counts ?? []).map(({ labels, value }) => [labels?.state, value])), lag: lag?.[0]?.value };
  };
  const none = { awaiting: 0, processing: 0, paid: 0, failed: 0, refused: 0 };
  expect(await read()).toEqual({ states: none, lag: 0 });
  const [paid = '', failed = '', open = ''] = await desk.start([100, 200, 300], accountKinds.wechat);
  expect(await read()).toEqual({ states: { ...none, processing: 3 }, lag: 0 });
  await desk.turn([paid, failed, open]);
  wechat.end(paid);
  wechat.end(failed, 'FAIL', 'ACCOUNT_FROZEN');
  await desk.turn([paid, failed]);
  await sql(`update payout set next_try = now() - interval '20 minutes' where pay_no = '${open}'`);
  const { states, lag } = await read();
  expect(states).toEqual({ ...none, processing: 1, paid: 1, failed: 1 });
  expect(Math.round((lag ?? 0) / 60)).toBe(20);
});
