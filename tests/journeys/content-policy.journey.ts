import { expect, test } from '@playwright/test';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await sharedProduct();
});

/** Returns the reports in the log about a page of this journey. */
const reports = (path: string) => product.output.split('\n').filter((line) => line.includes('Content-Security-Policy') && line.includes(path));

test('formatted text can be viewed, edited and pasted without violating the policy', async ({ page }) => {
  const errors = collectErrors(page);
  const client = await product.signIn();
  const content = '<h2>停机</h2><p>今晚 <strong>十点</strong><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="图"></p>';
  const form = { title: '策略公告', category: 1, releaseTime: '2026-01-01 08:00:00', audience: 'all', content };
  expect(await client.post('/api/blade-desk/notice/submit', form)).toMatchObject({ status: 200 });

  await openSignedIn(page, product, '/desk/notice/index');
  const row = page.locator('tr[data-row]', { hasText: '策略公告' }).first();
  await actOn(row, '查看');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: '停机' })).toBeVisible();
  await expect(dialog.getByText('十点')).toHaveCSS('font-weight', '700');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await actOn(row, '编辑');
  const text = page.getByRole('dialog').getByRole('textbox', { name: '通知内容' });
  await expect(text.getByRole('heading', { name: '停机' })).toBeVisible();
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', '<p>粘贴 <em>而来</em></p>');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(text.locator('em')).toHaveText('而来');
  expect(errors).toEqual([]);
  expect(reports('/desk/notice')).toEqual([]);
});

test('an injected script and markup are blocked, and the log says what was blocked and on which page', async ({ page }) => {
  await page.route(/attacked=1/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, body: (await reply.text()).replace('</body>', '<script>globalThis.wasRun = true</script></body>') });
  });
  await openSignedIn(page, product, '/system/dictbiz/index?attacked=1');
  const refused = await page.evaluate(() => {
    const outcomeOf = (work: () => void) => {
      try {
        work();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const element = document.createElement('div');
    const { trustedTypes } = window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): object } };
    return [
      outcomeOf(() => void Object.assign(element, { innerHTML: '<img src=x onerror="globalThis.wasRun = true">' })),
      outcomeOf(() => void Object.assign(document.createElement('script'), { src: '/assets/any.js' })),
      outcomeOf(() => void new Worker('/assets/any.js')),
      outcomeOf(() => void new DOMParser().parseFromString('<p>', 'text/html')),
      outcomeOf(() => void trustedTypes.createPolicy('mine', {})),
      outcomeOf(() => void trustedTypes.createPolicy('marquee-chunks', {})),
    ];
  });
  expect(refused).toEqual(Array.from({ length: 6 }, () => 'TypeError'));
  expect(await page.evaluate(() => 'wasRun' in globalThis)).toBe(false);
  await expect.poll(() => reports('/system/dictbiz').join()).toContain('"directive":"script-src-elem","blocked":"inline"');
  await expect.poll(() => reports('/system/dictbiz').join()).toContain('"sink":"Element innerHTML"');
  expect(reports('/system/dictbiz').join()).not.toContain('attacked=1');
});

test('a first script that fails to load is retried within the policy', async ({ page }) => {
  const attempts: string[] = [];
  await page.route(/\/assets\/index\.[^/]+\.js/, (route) => {
    attempts.push(new URL(route.request().url()).search);
    return attempts.length === 1 ? route.abort('connectionreset') : route.continue();
  });
  await page.goto(`${product.address}/login`);
  await expect(page.getByRole('textbox', { name: '用户名' })).toBeVisible();
  expect(attempts).toEqual(['', '?retry=1']);
});
