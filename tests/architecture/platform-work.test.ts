import { expect, test } from '@rstest/core';
import { filesUnder } from './source.ts';

test('every use of asPlatform and of a snapshot gives its reason, and all reasons are listed here', () => {
  const uses = filesUnder('src')
    .filter(({ path }) => !path.startsWith('src/server/data/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:asPlatform|db\.snapshot)\(\s*(?:'([^']*)'|([^,)]+))/g)].map(([, reason, other]) => `${path}: ${reason ?? other}`),
    );
  expect(uses).toMatchSnapshot();
});
