import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type Client, Product } from './product.ts';

test('a server killed twenty times in mid-write loses nothing it has acknowledged, and starts again', async () => {
  test.setTimeout(600_000);
  // What nobody asks for is not described.
  const product = new Product({ API_DOCS: 'off' });
  const acknowledged: string[] = [];
  try {
    await product.start();
    // A session outlives every kill.
    const client = await product.signIn();
    for (let round = 0; round < 20; round += 1) {
      const before = acknowledged.length;
      const writers = [0, 1, 2, 3].map((writer) => writeUntilRefused(client, `round-${round}.writer-${writer}`, acknowledged));
      while (acknowledged.length === before) await wait(5);
      await wait(Math.random() * 400);
      await product.stop('SIGKILL');
      await Promise.all(writers);
      await product.start();
    }
    const found = await everyKey(await product.signIn());
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(acknowledged.filter((key) => !found.has(key))).toEqual([]);
  } finally {
    await product.discard();
  }
});

async function writeUntilRefused(client: Client, prefix: string, acknowledged: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const paramKey = `${prefix}.${count}`;
    const answer = await client
      .post('/api/blade-system/param/submit', { paramName: 'written before the kill', paramKey, paramValue: 'x' })
      .catch(() => undefined);
    if (answer?.code !== 200) return;
    acknowledged.push(paramKey);
  }
}

async function everyKey(client: Client): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let current = 1; ; current += 1) {
    const { data } = await client.get('/api/blade-system/param/list', { current, size: 200 });
    for (const { paramKey } of data.records) keys.add(paramKey);
    if (data.records.length < 200) return keys;
  }
}
