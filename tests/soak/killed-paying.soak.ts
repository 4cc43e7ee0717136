import { expect, test } from '@playwright/test';
import { killWhilePaying } from './killed-paying.ts';
import { report } from './report.ts';

const kills = Number(process.env.SOAK_KILLS ?? 100);
const section = 'A server killed while it pays';

test(`a server killed ${kills} times while it pays pays everyone once, under the returned number`, async () => {
  test.setTimeout(7_200_000);
  const { killsAtProvider, bills, paidTwice, lost, faults } = await killWhilePaying(kills);
  report(section, { what: 'killed with -9, of these with a request at the provider', after: `${kills}, ${killsAtProvider}` });
  report(section, { what: 'paid twice', after: paidTwice, bound: 0 });
  report(section, { what: 'not paid, or under another number than the one returned', after: lost, bound: 0 });
  report(section, { what: 'totals of the ledger that do not balance', after: faults, bound: 0 });
  expect({ bills, paidTwice, lost, faults }).toEqual({ bills: 2 * kills, paidTwice: 0, lost: 0, faults: 0 });
});
