import { expect, test } from '@playwright/test';
import { report } from './report.ts';
import { upgradeUnderLoad } from './upgraded.ts';

const section = 'Servers replaced by those of another version under load, and back';

test('two servers are replaced by those of the next version and then by the previous ones, without a failed request', async () => {
  test.skip(!process.env.TEST_DATABASE_URL, 'Two servers share a database only where there is a PostgreSQL.');
  const { migrations, answered, written, lost, failures, longest } = await upgradeUnderLoad();
  report(section, { what: 'migrations applied while the previous version served', after: migrations });
  report(section, { what: 'requests answered', after: answered });
  report(section, { what: 'requests failed', after: failures.length, bound: 0 });
  report(section, { what: 'rows written and acknowledged', after: written });
  report(section, { what: 'of these lost', after: lost, bound: 0 });
  report(section, { what: 'longest request, ms', after: Math.round(longest) });
  expect(failures).toEqual([]);
  expect(lost).toBe(0);
  expect(migrations).toBeGreaterThan(0);
});
