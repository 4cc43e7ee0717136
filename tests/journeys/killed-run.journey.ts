import { expect, test } from '@playwright/test';
import { killRun } from './killed-run.ts';

// A soak does the same with ten thousand payouts (`tests/soak/killed-run.soak.ts`).
test('a payment run whose server is killed pays everyone once, and its sums add up', async () => {
  expect(await killRun(200, 5)).toMatchObject({ payouts: 200, killsAtProvider: 2, paidTwice: 0, lost: 0, faults: [] });
});
