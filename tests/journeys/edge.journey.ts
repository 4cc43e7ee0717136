import { expect, test } from '@playwright/test';
import { openSignedIn } from './console.ts';
import { adminPassword, type Product, sharedProduct } from './product.ts';
import { fetchesSettled } from './transfers.ts';

let product: Product;
test.beforeAll(async () => {
  product = await sharedProduct();
});

const paramPage = '/system/param/index';

test('the console reports a lost connection, keeps the page, and reports when it is back', async ({ page, context }) => {
  await openSignedIn(page, product, paramPage);
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: '网络已断开' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('status').filter({ hasText: '连接已恢复' })).toBeVisible();

  await page.route(/\/api\/|\/health\//, (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page.getByRole('status').filter({ hasText: '暂时无法连接服务器' })).toBeVisible();
  await page.unroute(/\/api\/|\/health\//);
  await expect(page.getByText('暂时无法连接服务器')).toHaveCount(0);
});

test('a page whose files fail to load is retried, then explained with a working link', async ({ page }) => {
  let attempts = 0;
  await openSignedIn(page, product, '/wel/index');
  await fetchesSettled(page);
  await page.route(/\/assets\/.*\.js/, (route) => {
    attempts += 1;
    return route.abort('connectionreset');
  });
  const navigation = page.getByRole('navigation', { name: '主导航' });
  await navigation.getByText('系统管理').click();
  await navigation.getByText('系统参数').click();
  await expect(page.getByRole('heading', { name: '页面加载失败' })).toBeVisible({ timeout: 30_000 });
  expect(attempts).toBeGreaterThan(1);
  await expect(navigation).toBeVisible();
  await page.unroute(/\/assets\/.*\.js/);
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();
});

test('files that hang are retried, and fail after two minutes with a message that keeps the input', async ({ page }) => {
  await page.clock.install();
  await openSignedIn(page, product, paramPage);
  const wanted = page.getByRole('textbox', { name: '参数名称' });
  await wanted.fill('写到一半');
  const tries: string[] = [];
  await page.route(/\/assets\/.*\.js/, (route) => void tries.push(route.request().url()));
  await page.getByRole('navigation', { name: '主导航' }).getByText('业务字典').click();
  const explained = page.getByRole('heading', { name: '页面加载失败' });
  await expect.poll(() => tries.length).toBeGreaterThan(0);
  // A browser returns the pending request for the same address, so each try has its own. A page has several files, which are tried side by side.
  const [file = ''] = tries;
  const triesOf = () => tries.filter((url) => url.split('?')[0] === file);
  for (const attempt of [1, 2, 3]) {
    await expect.poll(() => triesOf().length).toBe(attempt);
    // The request can be seen before its script has started the timer that the clock turns.
    await page.waitForTimeout(1000);
    await page.clock.fastForward(36_000);
    await expect(explained).toHaveCount(0);
    await page.clock.fastForward(4000);
  }
  await expect(explained).toBeVisible();
  expect(triesOf()).toEqual([file, `${file}?retry=1`, `${file}?retry=2`]);
  await page.unroute(/\/assets\/.*\.js/);
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('table', { name: '业务字典' })).toBeVisible();
  await page.goBack();
  await expect(wanted).toHaveValue('写到一半');
});

test('a style sheet that hangs fails as a script does, and loads on retry', async ({ page }) => {
  await page.clock.install();
  await openSignedIn(page, product, paramPage);
  await expect(page.getByRole('table', { name: '系统参数' })).toBeVisible();
  const tries: string[] = [];
  await page.route(/\/assets\/.*\.css/, (route) => void tries.push(route.request().url()));
  await page.getByRole('navigation', { name: '主导航' }).getByText('菜单管理').click();
  const explained = page.getByRole('heading', { name: '页面加载失败' });
  await expect.poll(() => tries.length).toBeGreaterThan(0);
  const [file = ''] = tries;
  const triesOf = () => tries.filter((url) => url.split('?')[0] === file);
  for (const attempt of [1, 2, 3]) {
    await expect.poll(() => triesOf().length).toBe(attempt);
    // The request can be seen before its script has started the timer that the clock turns.
    await page.waitForTimeout(1000);
    await page.clock.fastForward(36_000);
    await expect(explained).toHaveCount(0);
    await page.clock.fastForward(4000);
  }
  await expect(explained).toBeVisible();
  expect(triesOf()).toEqual([file, `${file}?retry=1`, `${file}?retry=2`]);
  await page.unroute(/\/assets\/.*\.css/);
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('button', { name: '新增', exact: true })).toBeVisible();
});

test('a dialog that fails to load is explained, does not affect the page, and loads on retry', async ({ page }) => {
  await openSignedIn(page, product, paramPage);
  const wanted = page.getByRole('textbox', { name: '参数名称' });
  await wanted.fill('还没查询');
  await page.route(/\/assets\//, (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: '更多界面设置' }).click();
  const notice = page.getByRole('alert').filter({ hasText: '可能是网络中断' });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await expect(wanted).toHaveValue('还没查询');
  await page.unroute(/\/assets\//);
  await notice.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('dialog', { name: '界面设置' })).toBeVisible();
  await expect(wanted).toHaveValue('还没查询');
});

test('an expired session is continued in a dialog over the page, with the input kept', async ({ page }) => {
  await openSignedIn(page, product, paramPage);
  await page.getByRole('button', { name: '新增' }).click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: '参数名称' });
  await name.fill('没有保存');
  for (const [field, value] of [
    ['参数键名', 'a.b'],
    ['参数键值', '1'],
  ] as const)
    await page.getByRole('dialog').getByLabel(field, { exact: true }).fill(value);
  // The page receives the event at once, before any call.
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('marquee-session') ?? '{}').accessToken as string);
  await page.request.get(`${product.address}/api/things-auth/oauth/logout`, { headers: { 'things-auth': `bearer ${token}` } });
  const dialog = page.getByRole('dialog', { name: '登录已过期' });
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await dialog.getByRole('textbox', { name: '用户名' }).fill('admin');
  await dialog.getByLabel('密码', { exact: true }).fill(adminPassword);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`${paramPage}\\?mode=add$`));
  await expect(name).toHaveValue('没有保存');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('新增成功')).toBeVisible();
});
