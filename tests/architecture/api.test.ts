import { expect, test } from '@rstest/core';
import { staleReports, unknownReports } from '../../scripts/api-report.mjs';

/** A change of the public API shows up in the diff of its report, and the upgrade guide must describe it for plugin authors. */
test('docs/api describes the public API as it is; `npm run api` regenerates it', () => {
  expect(staleReports().map(({ file }) => file)).toEqual([]);
  expect(unknownReports()).toEqual([]);
});
