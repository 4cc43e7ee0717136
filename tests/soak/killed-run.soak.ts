import { expect, test } from '@playwright/test';
import { killRun } from '../journeys/killed-run.ts';
import { report } from './report.ts';

const payouts = Number(process.env.SOAK_PAYOUTS ?? 10_000);
const kills = Number(process.env.SOAK_RUN_KILLS ?? 40);
const section = 'A payment run whose server is killed';

test(`a run of ${payouts} payouts whose server is killed ${kills} times pays everyone once, and its sums add up`, async () => {
  test.setTimeout(7_200_000);
  const { killsAtProvider, paidTwice, lost, faults, seconds, peakMemory } = await killRun(payouts, kills);
  report(section, { what: 'payouts of the run', after: payouts });
  report(section, { what: 'killed with -9, of these with a request at the provider', after: `${kills}, ${killsAtProvider}` });
  report(section, { what: 'paid twice', after: paidTwice, bound: 0 });
  report(section, { what: 'not paid', after: lost, bound: 0 });
  report(section, { what: 'sums of the ledger, the run and the advertiser that do not add up', after: faults.length, bound: 0 });
  for (const [what, taken] of [
    ['confirm the total', seconds.total],
    ['start the run', seconds.start],
    ['approve the run', seconds.approval],
    ['pay everyone, with all kills and restarts', seconds.payment],
  ] as const)
    if (!Number.isNaN(taken)) report(section, { what: `seconds to ${what}`, after: taken.toFixed(1) });
  if (peakMemory) report(section, { what: 'largest resident memory of the server, MB', after: Math.round(peakMemory / 1e6) });
  expect({ paidTwice, lost, faults }).toEqual({ paidTwice: 0, lost: 0, faults: [] });
});
