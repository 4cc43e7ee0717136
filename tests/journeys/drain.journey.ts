import { expect, test } from '@playwright/test';
import { stopUnderLoad } from './drained.ts';
import { supervisedProduct } from './product.ts';

// A soak runs it twenty times (`tests/soak/drain.soak.ts`).
test('a server stopped under load fails no request and ends with code 0', async () => {
  const product = supervisedProduct('product', { DRAIN_SECONDS: '3' });
  try {
    const { exitCode, failures, sentAfter } = await stopUnderLoad(product);
    expect(failures).toEqual([]);
    expect(exitCode).toBe(0);
    expect(sentAfter).toBeGreaterThan(20);
  } finally {
    await product.discard();
  }
});
