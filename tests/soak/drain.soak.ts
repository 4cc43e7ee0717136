import { expect, test } from '@playwright/test';
import { stopUnderLoad } from '../journeys/drained.ts';
import { supervisedProduct } from '../journeys/product.ts';
import { report } from './report.ts';

const stops = 20;
const section = 'A server stopped under a hundred requests a second';

test(`${stops} servers stopped under load fail no request and end with code 0`, async () => {
  const product = supervisedProduct('product', { DRAIN_SECONDS: '3' });
  try {
    let requests = 0;
    for (let stop = 0; stop < stops; stop += 1) {
      const { exitCode, answered, failures } = await stopUnderLoad(product);
      expect({ stop, exitCode, failures }).toEqual({ stop, exitCode: 0, failures: [] });
      requests += answered;
    }
    report(section, { what: 'stopped by SIGTERM, exit code 0', after: stops });
    report(section, { what: 'requests answered', after: requests });
    report(section, { what: 'requests failed', after: 0, bound: 0 });
  } finally {
    await product.discard();
  }
});
