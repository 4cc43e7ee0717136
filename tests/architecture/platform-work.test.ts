import { expect, test } from '@rstest/core';
import { findingsOf } from './rules/plugin-rules.ts';
import { platformUses } from './rules/texts.ts';
import { filesUnder } from './source.ts';

const source = filesUnder('src');

test('every use of asPlatform and of a database snapshot gives its reason, and the stored list names them all', async () => {
  expect(platformUses(source).map(({ path, argument }) => `${path}: ${argument}`)).toMatchSnapshot();
  expect(await findingsOf('platform-reason', source)).toEqual([]);
});
