import { setTimeout as wait } from 'node:timers/promises';
import { type Client, Product } from './product.ts';

/** Result after all kills. */
export interface KilledWriting {
  readonly acknowledged: number;
  /** Keys whose write was acknowledged and that are missing. */
  readonly lost: string[];
}

/** Kills a server repeatedly while four clients write to it, and checks at the end that all acknowledged writes are there. */
export async function killWhileWriting(kills: number): Promise<KilledWriting> {
  // The description of the API is not needed.
  const product = new Product({ API_DOCS: 'off' });
  const acknowledged: string[] = [];
  try {
    await product.start();
    // The session survives every kill.
    const client = await product.signIn();
    for (let kill = 0; kill < kills; kill += 1) {
      const before = acknowledged.length;
      const writers = [0, 1, 2, 3].map((writer) => writeUntilRefused(client, `kill-${kill}.writer-${writer}`, acknowledged));
      while (acknowledged.length === before) await wait(5);
      await wait(Math.random() * 400);
      await product.stop('SIGKILL');
      await Promise.all(writers);
      await product.start();
    }
    const found = await everyKey(await product.signIn());
    return { acknowledged: acknowledged.length, lost: acknowledged.filter((key) => !found.has(key)) };
  } finally {
    await product.discard();
  }
}

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
