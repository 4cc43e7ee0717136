import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { given, hurry, inDatabase, PayingOffice, ripe } from '../journeys/paying-office.ts';
import type { Client } from '../journeys/product.ts';

/** Results after all kills. */
export interface Killed {
  readonly kills: number;
  /** Kills while the provider was answering, or before its answer was booked. */
  readonly killsAtProvider: number;
  readonly bills: number;
  readonly paidTwice: number;
  /** Bills that were not paid in the end, or not under the promised number. */
  readonly lost: number;
  /** Ledger totals that do not balance. */
  readonly faults: number;
}

const perRound = 2;
const payPath = '/api/things-task/weixinpay';

/**
 * Kills a server repeatedly while it pays. In the end every bill exists under the number that was returned, the provider has paid it once, and the ledger
 * balances.
 */
export async function killWhilePaying(kills: number): Promise<Killed> {
  const office = new PayingOffice();
  let killsAtProvider = 0;
  try {
    await office.open();
    const { product, wechat } = office;
    const work = await office.prepare(kills * perRound);
    await product.stop();
    await inDatabase(product, ripe);
    const promised = new Map<string, string>();
    for (let kill = 0; kill < kills; kill += 1) {
      await product.start();
      const client = await product.signIn();
      const asked = wechat.asked;
      const paying = work.slice(0, (kill + 1) * perRound).filter((id) => !promised.has(id));
      const requests = paying.map((id) => pay(client, id, promised));
      if (kill % 4 !== 0) {
        // The provider has received the request; its answer is booked, still to be booked, or on its way.
        await expect.poll(() => wechat.asked > asked, { timeout: 20_000, intervals: [1] }).toBe(true);
        killsAtProvider += 1;
        await wait(Math.random() * 40);
      } else await wait(Math.random() * 3000);
      await product.stop('SIGKILL');
      await Promise.all(requests);
      if (kill % 3 === 2) wechat.troubles.push('dropped', undefined, 'fails');
      if (kill % 5 === 4) await inDatabase(product, hurry);
    }
    wechat.troubles.length = 0;
    await inDatabase(product, hurry);
    await product.start();
    const client = await product.signIn();
    for (const id of work) await pay(client, id, promised);
    const found = await checkOutcome(office, client, work, promised);
    return { kills, killsAtProvider, bills: wechat.bills.size, ...found };
  } finally {
    await office.close();
  }
}

/** A request without an answer is repeated; an answer promises a number. */
async function pay(client: Client, id: string, promised: Map<string, string>): Promise<void> {
  const reply = await client.post(payPath, { id }).catch(() => undefined);
  if (reply?.code !== 200) return;
  expect(promised.get(id) ?? reply.data.payNo).toBe(reply.data.payNo);
  promised.set(id, reply.data.payNo);
}

async function checkOutcome({ wechat }: PayingOffice, client: Client, work: readonly string[], promised: ReadonlyMap<string, string>) {
  await expect.poll(async () => (await payoutsOf(client)).filter(({ state }) => state !== 2).length, { timeout: 240_000, intervals: [2000] }).toBe(0);
  const rows = await payoutsOf(client);
  const paid = [...wechat.bills.values()].filter(({ paidOut }) => paidOut === 100);
  const workOf = new Map(rows.map(({ payNo, submissionId }) => [payNo, submissionId]));
  const paidWork = paid.map(({ out_bill_no }) => workOf.get(out_bill_no) ?? 'unknown');
  const faults = (await given(client.get('/api/things-task/ledger/check'))).data;
  return {
    paidTwice: paidWork.length - new Set(paidWork).size + paidWork.filter((id) => id === 'unknown').length,
    lost: work.filter((id) => !paidWork.includes(id) || workOf.get(promised.get(id) ?? '') !== id).length,
    faults: faults.length as number,
  };
}

async function payoutsOf(client: Client): Promise<{ submissionId: string; payNo: string; state: number }[]> {
  const found = [];
  for (let current = 1; ; current += 1) {
    const { data } = await given(client.get(`${payPath}/list`, { current, size: 200 }));
    found.push(...data.records);
    if (data.records.length < 200) return found;
  }
}
