import { expect, test } from '@rstest/core';
import { parameterProblem } from '#shared/parameters';
import { leaseMinutes } from '../../../../src/plugins/task/parameter-contract.ts';

test('a lease of submissions outlasts the three minutes after which an active reviewer renews it', () => {
  for (const text of ['0', '3', '4']) expect(parameterProblem(leaseMinutes, text)).toBeDefined();
  expect(parameterProblem(leaseMinutes, '5')).toBeUndefined();
});
