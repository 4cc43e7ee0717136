import { expect, test } from '@rstest/core';
import { staleReports, strangeReports } from '../../scripts/api-report.mjs';

/** Whoever changes what plugins are written against sees it in the diff, and says in the upgrade guide what plugins have to change. */
test('what plugins may use is told in docs/api as it is; `npm run api` writes it anew', () => {
  expect(staleReports().map(({ file }) => file)).toEqual([]);
  expect(strangeReports()).toEqual([]);
});
