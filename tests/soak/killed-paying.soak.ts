import { appendFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { killWhilePaying } from '../journeys/killed-paying.ts';

const kills = Number(process.env.SOAK_KILLS ?? 100);

test(`a server killed ${kills} times while it pays pays everybody once, under the number it gave`, async () => {
  test.setTimeout(7_200_000);
  const { killsAtProvider, bills, paidTwice, lost, faults } = await killWhilePaying(kills);
  report('killed with -9, of these with a request at the provider', `${kills}, ${killsAtProvider}`);
  report('paid twice', paidTwice, 0);
  report('not paid, or under another number than was promised', lost, 0);
  report('figures of the ledger that do not add up', faults, 0);
  expect({ bills, paidTwice, lost, faults }).toEqual({ bills: 2 * kills, paidTwice: 0, lost: 0, faults: 0 });
});

function report(what: string, after: string | number, bound?: number): void {
  const row = { section: 'A server killed while it pays', what, after, bound, kept: bound === undefined || Number(after) <= bound };
  console.log(row);
  if (process.env.SOAK_REPORT) appendFileSync(process.env.SOAK_REPORT, `${JSON.stringify(row)}\n`);
}
