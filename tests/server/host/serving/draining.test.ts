import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@rstest/core';
import { testServer } from '../../../support/test-server.ts';

test('a stopping server is not ready at once, still answers, and closes connections in the second half of its time', async () => {
  const server = await testServer({ environment: { DRAIN_SECONDS: '1' } });
  const connectionOf = async () => {
    const { statusCode, headers } = await server.app.inject('/health/live');
    return [statusCode, headers.connection];
  };
  const ready = async () => (await server.app.inject('/health/ready')).statusCode;
  expect(await ready()).toBe(200);
  const began = performance.now();
  const stopped = server.stop();
  expect(await ready()).toBe(503);
  expect(await connectionOf()).toEqual([200, 'keep-alive']);
  await pause(700);
  expect(await connectionOf()).toEqual([200, 'close']);
  await stopped;
  expect(performance.now() - began).toBeGreaterThan(990);
});
