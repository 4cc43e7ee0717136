import { expect, test } from '@rstest/core';
import { createServerHarness, serverContract } from '#kit/server';
import * as contract from '../../contract.ts';

serverContract('loyalty', contract);

test('no work leads to no points, by a call and by the job', async () => {
  const server = await createServerHarness({ plugins: ['loyalty'] });
  const headers = await server.signIn();
  expect(await server.post(contract.loyalty.settle.path, { ids: ['1'] }, { headers })).toMatchObject({ code: 200, data: { awards: 0, points: 0 } });
  expect(await server.runJob('loyalty:settle')).toBe('0');
});
