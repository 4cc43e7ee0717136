import { expect, test } from '@rstest/core';
import { filesUnder } from './source.ts';

test('every piece of work that sees all tenants gives its reason, and each is known here', () => {
  const uses = filesUnder('src')
    .filter(({ path }) => !path.startsWith('src/server/data/'))
    .flatMap(({ path, text }) => [...text.matchAll(/asPlatform\(\s*(?:'([^']*)'|([^,)]+))/g)].map(([, reason, other]) => `${path}: ${reason ?? other}`));
  expect(uses).toMatchSnapshot();
});
