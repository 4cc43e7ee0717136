import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type Client, supervisedProduct } from './product.ts';

const counted = async (client: Client) => (await client.get('/api/gallery/mishap/count')).data;
const mishap = (client: Client, kind: 'rejection' | 'exception') => client.post('/api/gallery/mishap', { kind });
const again = 'The server ended with code 75 and restarts in 1 s.';

test('an unhandled rejection in a plugin ends nothing; an exception in its timer drains the server, which restarts; both are counted', async () => {
  const product = supervisedProduct('gallery', { DRAIN_SECONDS: '1' });
  try {
    await product.start();
    const client = await product.signIn();
    expect(await mishap(client, 'rejection')).toMatchObject({ status: 200 });
    await expect.poll(() => counted(client)).toEqual({ gallery: 1 });
    expect(product.output).not.toContain('started again');

    // The exception occurs during the reply, and so does the end of the server.
    const ready = () => fetch(`${product.address}/health/ready`).then(({ status }) => status);
    expect(await ready()).toBe(200);
    const answer = mishap(client, 'exception');
    await pause(500);
    expect(await ready()).toBe(503);
    expect(await answer).toMatchObject({ status: 200 });
    const addresses = () => product.output.match(/Marquee runs at/g)?.length;
    await expect.poll(addresses).toBe(2);
    expect(product.output).toContain(again);
    expect(await counted(client)).toEqual({ gallery: 2 });
    expect(await product.stop()).toBe(0);
  } finally {
    await product.discard();
  }
});
