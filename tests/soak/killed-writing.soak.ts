import { expect, test } from '@playwright/test';
import { killWhileWriting } from '../journeys/killed-writing.ts';
import { report } from './report.ts';

const kills = Number(process.env.SOAK_KILLS ?? 100);
const section = 'A server killed while it writes';

test(`a server killed ${kills} times in mid-write loses nothing it has acknowledged`, async () => {
  test.setTimeout(7_200_000);
  const { acknowledged, lost } = await killWhileWriting(kills);
  report(section, { what: 'killed with -9', after: kills });
  report(section, { what: 'rows acknowledged', after: acknowledged });
  report(section, { what: 'of these missing', after: lost.length, bound: 0 });
  expect(acknowledged).toBeGreaterThan(kills);
  expect(lost).toEqual([]);
});
