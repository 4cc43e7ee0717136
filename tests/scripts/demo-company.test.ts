import { expect, test } from '@rstest/core';
import { membersOf } from '../../scripts/demo/company.mjs';

test('each member of the demo company has a name and an account of its own', () => {
  const members = membersOf(40);
  expect(new Set(members.map(({ account }) => account)).size).toBe(40);
  for (const { realName } of members) expect(realName).toMatch(/^[一-鿿]{2,4}$/);
});
