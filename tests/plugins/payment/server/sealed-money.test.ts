import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { sealedMoney } from '../../../../src/plugins/payment/server/sealed-tables.ts';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { Evidence } from '../../../../src/server/platform/evidence/evidence.ts';
import { openPayoutDesk, type PayoutDesk } from '../../../support/payout-desk.ts';
import { testSecret } from '../../../support/test-server.ts';

let desk: PayoutDesk;
let evidence: Evidence;

beforeAll(async () => {
  desk = await openPayoutDesk([]);
  evidence = new Evidence({ db: desk.office.server.db, keys: secretKeysOf(testSecret).evidence, tables: () => sealedMoney, marginMs: 0 });
});
afterAll(() => desk.office.server.stop());

/** Runs statements as the owner of the database, past all triggers. */
const owner = (statements: string) => {
  const { db } = desk.office.server;
  return db.asPlatform('a test', () => db.script(`set local session_replication_role = replica; ${statements}`));
};
const differences = async () => (await evidence.verify()).differences;
/** Seals until all rows of a table are sealed: they wait for transactions of other tests on the same server. */
const seal = async () => {
  const unsealed = "select 1 from ledger_posting where id > (select coalesce(max(to_id), 0) from evidence_seal where source = 'ledger_posting') limit 1";
  for (let attempt = 0; attempt < 400; attempt += 1) {
    await evidence.seal();
    if ((await desk.office.server.sql(unsealed)).length === 0) return;
    await pause(50);
  }
};

test('changed amounts of the journal and of payouts are found, and the work of the product is not', async () => {
  const { sql } = desk.office.server;
  const payNos = await desk.start([500, 700], accountKinds.wechat);
  await seal();
  // The sandbox takes an order first, and reports it as paid later.
  for (let turn = 0; turn < 5 && (await desk.stored(payNos)).some(({ state }) => state === 1); turn += 1) await desk.turn(payNos);
  await seal();
  expect(await differences()).toEqual([]);
  const [payNo] = payNos;
  const states = await sql(`select state, amount::integer as amount from payout_state where pay_no = '${payNo}' order by id`);
  expect(states[0]).toEqual({ state: 1, amount: 500 });
  expect(states.at(-1)).toEqual({ state: 2, amount: 500 });

  const [posting] = await sql(`select id::text as id from ledger_posting where pay_no = '${payNo}' order by id limit 1`);
  await owner(`update ledger_posting set amount = amount * 10 where id = ${posting?.id}`);
  expect(await differences()).toEqual([expect.stringMatching(`^000000 ledger_posting: row ${posting?.id} was changed \\(seal \\d+, ids \\d+ to \\d+\\)$`)]);
  await owner(`update ledger_posting set amount = amount / 10 where id = ${posting?.id}`);

  await owner(`update payout set amount = 50000 where pay_no = '${payNo}'`);
  expect(await differences()).toEqual([`000000 payout_state: payout ${payNo} is not as its last sealed row says`]);
  await owner(`update payout set amount = 500 where pay_no = '${payNo}'`);

  // The journal is never deleted, not even with its tenant.
  await evidence.recordPurge({ tenant: '000000', before: Math.floor(Date.now() / 1000 + 1) * 1000 });
  await owner(`delete from ledger_posting where id = ${posting?.id}`);
  expect(await differences()).toEqual([expect.stringContaining(`000000 ledger_posting: row ${posting?.id} was deleted`)]);
});
