import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '@rstest/core';
import { openSignedIn } from '../journeys/console.ts';
import { Product } from '../journeys/product.ts';
import { openBrowser } from './browser.ts';
import { median, milliseconds, report, times } from './report.ts';

const folder = join(process.cwd(), 'test-results/many-plugins');
const reloads = 15;

/** Builds the deployment's own console with this many additional plugins, each with a service, a page and a listener. */
function consoleWith(count: number): string {
  const ids = Array.from({ length: count }, (_, index) => `trivial-${index}`);
  for (const id of ids) {
    mkdirSync(join(folder, id, 'console'), { recursive: true });
    writeFileSync(join(folder, id, 'contract.ts'), '');
    writeFileSync(join(folder, id, 'console/Page.tsx'), `export default function Page() {\n  return <p>${id}</p>;\n}\n`);
    writeFileSync(join(folder, id, 'console/plugin.ts'), pluginText(id));
  }
  const manifest = join(folder, `with-${count}.manifest.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, JSON.stringify({ extends: '../../plugins.manifest.json', with: ids.map((id) => `./${id}`) }));
  const output = join(folder, `built-${count}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', '--manifest', manifest, '--output', output], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  return join(output, 'console');
}

const pluginText = (id: string) => `import { definePlugin, page, RowsChanged } from '#kernel';

class Counter {
  count = 0;
}

export default definePlugin({
  id: '${id}',
  title: ['${id}', '${id}'],
  provide: (provide) => provide(Counter, []),
  pages: [page({ code: '${id}', title: ['${id}', '${id}'], path: '/bench/${id}' }, () => import('./Page.tsx'))],
  start({ get, on }) {
    const counter = get(Counter);
    on(RowsChanged, () => {
      counter.count += 1;
    });
  },
});
`;

async function opened(browser: Browser, consoleFolder: string): Promise<{ page: Page; product: Product }> {
  const product = new Product({ CONSOLE_DIR: consoleFolder });
  await product.start();
  const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await openSignedIn(page, product, '/wel/index');
  return { page, product };
}

/** Measures the milliseconds from the start of a reload until a plugin renders the first page. */
async function boot(page: Page): Promise<number> {
  await page.reload();
  await page.getByRole('main').locator('h2, h3').first().waitFor();
  return page.evaluate(() => performance.now());
}

test('a console with two hundred plugins is compared with the deployment’s own', async () => {
  rmSync(folder, { recursive: true, force: true });
  const browser = await openBrowser();
  const few = await opened(browser, consoleWith(0));
  const many = await opened(browser, consoleWith(180));
  try {
    await openSignedIn(many.page, many.product, '/dev/kernel');
    await many.page.getByRole('row', { name: 'trivial-179 running' }).waitFor();
    expect(await many.page.getByRole('row', { name: /trivial-\d+ running/ }).count()).toBe(180);
    await openSignedIn(many.page, many.product, '/wel/index');
    const taken = { few: [] as number[], many: [] as number[] };
    for (let round = -3; round < reloads; round++) {
      for (const name of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
        const figure = await boot((name === 'few' ? few : many).page);
        if (round >= 0) taken[name].push(figure);
      }
    }
    const ratio = median(taken.many) / median(taken.few);
    const section = 'Console boot';
    report({
      section,
      what: 'until the first page is rendered, with the 21 plugins of the deployment',
      figure: milliseconds(median(taken.few)),
      at: `${reloads} reloads, warm cache, in Chromium`,
    });
    report({
      section,
      what: 'the same with 180 trivial plugins beside them',
      figure: `${milliseconds(median(taken.many))}, ${times(ratio)}`,
      bound: '1.3 ×',
      isMet: ratio <= 1.3,
      at: `in turn, each plugin a service, a page and a listener`,
    });
  } finally {
    await browser.close();
    await few.product.discard();
    await many.product.discard();
  }
});
