import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type Client, supervisedProduct } from './product.ts';

const errorCounts = async (client: Client) => (await client.get('/api/gallery/mishap/count')).data;
const causeUncaughtError = (client: Client, kind: 'rejection' | 'exception') => client.post('/api/gallery/mishap', { kind });
const restartMessage = 'The server ended with code 75 and restarts in 1 s.';

test('an unhandled rejection in a plugin does not end the server, an exception in its timer makes it drain and restart; both are counted', async () => {
  const product = supervisedProduct('gallery', { DRAIN_SECONDS: '1' });
  try {
    await product.start();
    const client = await product.signIn();
    expect(await causeUncaughtError(client, 'rejection')).toMatchObject({ status: 200 });
    await expect.poll(() => errorCounts(client)).toEqual({ gallery: 1 });
    expect(product.output).not.toContain(restartMessage);

    // The exception occurs while the call is being answered, and the server drains before it ends.
    const readyStatus = () => fetch(`${product.address}/health/ready`).then(({ status }) => status);
    expect(await readyStatus()).toBe(200);
    const reply = causeUncaughtError(client, 'exception');
    await pause(500);
    expect(await readyStatus()).toBe(503);
    expect(await reply).toMatchObject({ status: 200 });
    const startCount = () => product.output.match(/Marquee runs at/g)?.length;
    await expect.poll(startCount).toBe(2);
    expect(product.output).toContain(restartMessage);
    expect(await errorCounts(client)).toEqual({ gallery: 2 });
    expect(await product.stop()).toBe(0);
  } finally {
    await product.discard();
  }
});
