import { expect, test } from '@rstest/core';
import { findingsOf } from './rules/plugin-rules.ts';
import { platformUses } from './rules/texts.ts';
import { filesUnder } from './source.ts';

const source = filesUnder('src');

test('every use of asPlatform and of a snapshot gives its reason, and all reasons are listed here', async () => {
  expect(platformUses(source).map(({ path, written }) => `${path}: ${written}`)).toMatchSnapshot();
  expect(await findingsOf('platform-reason', source)).toEqual([]);
});
