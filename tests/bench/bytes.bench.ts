import { test } from '@rstest/core';
import { Product } from '../journeys/product.ts';
import { bytesOf, type Transfer, visitFirstList } from '../journeys/transfers.ts';
import { openBrowser } from './browser.ts';
import { bytes, report } from './report.ts';

const section = 'Bytes of a first visit';

test('bytes that a browser with an empty cache loads until the sign-in form and until the first list', async () => {
  const product = new Product();
  const browser = await openBrowser();
  try {
    await product.start();
    for (const encoding of ['gzip', 'br'] as const) {
      const context = await browser.newContext({ locale: 'zh-CN' });
      const { signIn, firstList } = await visitFirstList(await context.newPage(), product.address, encoding);
      reportVisit('until the sign-in form can be used', signIn, encoding, encoding === 'gzip' ? { script: 180_000, style: 25_000 } : {});
      reportVisit('until the first list shows rows', firstList, encoding, { script: encoding === 'gzip' ? 335_000 : 300_000 });
      await context.close();
    }
  } finally {
    await browser.close();
    await product.discard();
  }
});

const names = { script: 'JS', style: 'CSS' } as const;

/** Reports the bytes of a visit. The budgets of the sign-in form are for gzip, which every proxy supports; that of the first list is for brotli too, which the server prefers. */
function reportVisit(until: string, transfers: readonly Transfer[], encoding: 'gzip' | 'br', budgets: { script?: number; style?: number }): void {
  const at = encoding === 'br' ? 'brotli' : 'gzip';
  for (const kind of ['script', 'style'] as const) {
    const count = bytesOf(transfers, kind);
    const files = transfers.filter((transfer) => transfer.kind === kind).length;
    const budget = budgets[kind];
    const bound = budget === undefined ? {} : { bound: `${budget / 1000} kB`, isMet: count <= budget };
    report({ section, what: `${names[kind]} ${until}`, figure: `${bytes(count)} in ${files} files`, at, ...bound });
  }
  if (encoding === 'gzip') report({ section, what: `requests ${until}`, figure: requestsOf(transfers), at: 'an empty cache' });
}

function requestsOf(transfers: readonly Transfer[]): string {
  const calls = transfers.filter(({ kind }) => kind === 'call').length;
  return `${transfers.length}, of them ${calls} to the API`;
}
