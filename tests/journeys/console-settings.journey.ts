import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { actOn, collectErrors, signInThroughPage } from './console.ts';
import { adminPassword, Product } from './product.ts';

const keys = { tokenKey: '32 characters of a key of tokens', bodyKey: 'sixteen letters!' };
const folder = mkdtempSync(join(tmpdir(), 'marquee-settings-'));
const settings = join(folder, 'settings.json');
writeFileSync(settings, JSON.stringify({ requests: keys, expiredSession: 'signIn' }));
const product = new Product({ CONSOLE_SETTINGS: settings, TOKEN_CRYPTO_KEY: keys.tokenKey, BODY_CRYPTO_KEY: keys.bodyKey });

test.describe.configure({ mode: 'serial' });
test.beforeAll(() => product.start());
test.afterAll(async () => {
  await product.discard();
  rmSync(folder, { recursive: true });
});

/** Collects the headers, addresses and bodies of a page's API calls. */
function watchCalls(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', async (request) => {
    if (!request.url().includes('/api/')) return;
    seen.push(JSON.stringify([request.url(), await request.allHeaders(), request.postData()]));
  });
  return seen;
}

test('a console with keys encrypts its requests; a dictionary entry without a parent becomes a dictionary with its own code', async ({ page }) => {
  const client = await product.signIn();
  const entry = { sort: 1, isSealed: 0 };
  const { data: colour } = await client.post('/api/blade-system/dict/submit', { ...entry, code: 'colour', dictValue: '颜色', dictKey: '-1', parentId: '0' });
  await client.post('/api/blade-system/dict/submit', { ...entry, code: 'colour', dictValue: '红色', dictKey: '1', parentId: colour.id });

  const errors = collectErrors(page);
  const calls = watchCalls(page);
  await page.goto(`${product.address}/system/dict/index`);
  await signInThroughPage(page);
  const row = page.getByRole('table', { name: '系统字典' }).getByRole('row', { name: /colour/ });
  await actOn(row, '字典配置');
  const drawer = page.getByRole('dialog', { name: '字典配置：颜色' });
  await expect(drawer.getByRole('columnheader', { name: '字典编号' })).toBeVisible();
  await actOn(drawer.getByRole('row', { name: /红色/ }), '编辑');
  const parent = page.locator('[data-field=parentId]');
  await expect(parent.getByText('颜色')).toBeVisible();
  await parent.locator('.arco-tree-select').hover();
  await parent.locator('.arco-tree-select-clear-icon').click();
  await expect(parent.getByText('顶级')).toBeVisible();
  await page.locator('[data-field=code] input').fill('red');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByRole('table', { name: '系统字典' }).getByRole('row', { name: /red/ })).toBeVisible();
  const { data } = await client.get('/api/blade-system/dict/parent-list', { code_equal: 'red' });
  expect(data.records).toMatchObject([{ dictValue: '红色', parentId: '0', dictKey: '-1' }]);

  expect(calls.some((call) => call.includes('crypto '))).toBe(true);
  for (const plain of [adminPassword, 'bearer ', 'dictValue', 'grant_type']) expect(calls.filter((call) => call.includes(plain))).toEqual([]);
  const unnamed = calls.filter((call) => !call.includes('"authorization"')).map((call) => new URL(JSON.parse(call)[0]).pathname);
  expect([...new Set(unnamed)].sort()).toEqual(['/api/things-auth/oauth/captcha', '/api/things-auth/oauth/clear-cache']);
  expect(errors).toEqual([]);
});

test('where the deployment says so, an expired session is cleared and leads to the sign-in page, and back to the address afterwards', async ({ page }) => {
  await page.goto(`${product.address}/system/param/index`);
  await signInThroughPage(page);
  await page.getByRole('button', { name: '新增' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: '参数名称' }).fill('写到一半');
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('marquee-session') ?? '{}').accessToken as string);
  await page.request.get(`${product.address}/api/things-auth/oauth/logout`, { headers: { 'things-auth': `bearer ${token}` } });
  await expect(page.getByText('登录已失效，请重新登录')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const kept = await page.evaluate(() => JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]));
  expect(kept).not.toMatch(/menu|buttons|tabs:|locked|marquee-session"|token/);
  await signInThroughPage(page);
  await expect(page).toHaveURL(/\/system\/param\/index\?mode=add$/);
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();
});
