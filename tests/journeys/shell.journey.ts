import { expect, type Page, test } from '@playwright/test';
import { collectErrors, watchHeadings } from './console.ts';
import { adminPassword, type Product, sharedProduct } from './product.ts';

let product: Product;
let session: { owner: string };

test.beforeAll(async () => {
  product = await sharedProduct('gallery');
  session = await grantedSession();
});

const navigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const sections = (page: Page) => page.getByRole('navigation', { name: '菜单分区' });

test('the menu is beside, above or both; entries that do not fit are behind "more"', async ({ page }) => {
  await open(page, '/system/param/index', { layout: 'top', more: 16 });
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await navigation(page).getByRole('button', { name: '更多' }).click();
  await navigation(page).getByRole('button', { name: '分组15' }).click();
  await expect(navigation(page).getByRole('link', { name: '页面15' })).toBeInViewport();
  await page.keyboard.press('Escape');

  await prefer(page, { layout: 'mixed' });
  await expect(sections(page).getByRole('button', { name: '系统管理' })).toHaveAttribute('aria-pressed', 'true');
  await sections(page).getByRole('button', { name: '基础配置' }).click();
  await navigation(page).getByRole('link', { name: '展品' }).click();
  await expect(page).toHaveURL(/\/gallery\/exhibit\/index$/);
  expect(await page.title()).toBe('展品 - 广告与任务分发管理平台');
});

test('a collapsed menu opens by keyboard; on a narrow screen it is a drawer that restores the focus', async ({ page }) => {
  await open(page, '/system/param/index', { sidebarCollapsed: true });
  await navigation(page).getByRole('button', { name: '系统管理' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(navigation(page).getByRole('link', { name: '系统字典' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/system\/dict\/index$/);

  await page.setViewportSize({ width: 320, height: 640 });
  await expect(navigation(page)).toHaveCount(0);
  await page.getByRole('button', { name: '打开导航' }).click();
  await expect(page.getByRole('dialog', { name: '主导航' }).getByRole('link', { name: '首页' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '打开导航' })).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('a page of another origin is kept while another tab is shown, and a forbidden one is explained', async ({ page, context }) => {
  const errors = collectErrors(page);
  const asked: string[] = [];
  await context.route('http://127.0.0.1:9/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>Guide</title><input aria-label="note" autocomplete="off">' });
  });
  await context.route('https://elsewhere.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }));
  const link = (code: string, path: string, isOpen = 1) => ({ ...entry(code, code), path, isOpen });
  await open(page, '/wel/index', {
    added: [
      link('guide', 'http://127.0.0.1:9/guide?token=\u0024{token}'),
      link('foreign', 'https://elsewhere.example/a'),
      link('window', 'https://elsewhere.example/b', 2),
    ],
  });
  await navigation(page).getByRole('link', { name: 'guide' }).click();
  await expect(page).toHaveURL(/\/myiframe\/guide$/);
  const note = page.frameLocator('iframe').getByLabel('note');
  await note.fill('kept');
  await navigation(page).getByRole('link', { name: '首页' }).click();
  await expect(page.locator('iframe')).toBeHidden();
  await navigation(page).getByRole('link', { name: 'guide' }).click();
  await expect(note).toHaveValue('kept');
  expect(asked).toEqual(['http://127.0.0.1:9/guide']);

  const [opened] = await Promise.all([context.waitForEvent('page'), navigation(page).getByRole('link', { name: 'foreign' }).click()]);
  await expect(page.getByRole('heading', { name: '无法在此显示「foreign」' })).toBeVisible();
  await expect(opened).toHaveURL('https://elsewhere.example/a');
  const [beside] = await Promise.all([context.waitForEvent('page'), navigation(page).getByRole('link', { name: 'window' }).click()]);
  await expect(beside).toHaveURL('https://elsewhere.example/b');
  expect(await beside.evaluate(() => window.opener)).toBeNull();
  expect(errors).toEqual([]);
});

test('a failing server is reported where it fails, with a way to continue, and never as a missing page', async ({ page }) => {
  const seen = await watchHeadings(page);
  let isDown = true;
  await page.route('**/api/things-system/menu/routes*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return isDown ? route.fulfill({ status: 500, json: { code: 500, success: false, data: null, msg: '服务器异常' } }) : route.continue();
  });
  await open(page, '/system/param/index');
  await expect(page.getByRole('heading', { name: '菜单加载失败', level: 2 })).toBeVisible();
  isDown = false;
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();

  // The last known menu stays while the server is down; an unknown page shows the reason.
  isDown = true;
  await page.reload();
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();
  await page.goto(`${product.address}/nowhere/index`);
  await expect(page.getByRole('heading', { name: '菜单加载失败', level: 2 })).toBeVisible();
  expect(await seen()).not.toEqual(expect.arrayContaining([expect.stringMatching(/页面不存在|没有访问权限/)]));

  isDown = false;
  await page.route('**/api/blade-system/param/list*', (route) => (isDown ? route.abort() : route.continue()));
  isDown = true;
  await page.goto(`${product.address}/system/param/index`);
  await expect(page.getByRole('main').getByRole('button', { name: '重试' })).toBeVisible();
  isDown = false;
  await page.getByRole('main').getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();
});

test('the user is shown by name and role, follows a change of language at once, and switches role', async ({ page }) => {
  await open(page, '/system/param/index');
  await page.getByRole('button', { name: '账户：管理员' }).click();
  await expect(page.getByRole('banner').getByText('超级管理员').first()).toBeVisible();
  await page.getByRole('menuitem', { name: '切换部门/角色' }).click();
  const dialog = page.getByRole('dialog', { name: '切换部门/角色' });
  await dialog.getByRole('button', { name: '切换', exact: true }).click();
  await expect(page).toHaveURL(/\/wel\/index$/);
  await expect(page.getByText('已切换为 总公司 · 超级管理员')).toBeVisible();
  await page.getByRole('button', { name: /^账户/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await expect(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'System' })).toBeVisible();
  await expect(page).toHaveTitle('Home - Advertising and task distribution');
});

interface Opening {
  readonly layout?: string;
  readonly sidebarCollapsed?: boolean;
  /** Number of additional groups. */
  readonly more?: number;
  readonly added?: readonly object[];
}

const entry = (code: string, name: string, change: object = {}) => {
  const fields = { id: code, parentId: '0', code, name, words: [name, name], alias: 'menu', path: `/${code}`, source: 'file', sort: 100 };
  return { ...fields, category: 1, isOpen: 1, remark: null, ...change };
};

/** Opens an address signed in, with more menu entries than the server has. */
async function open(page: Page, path: string, { more = 0, added = [], ...preference }: Opening = {}): Promise<void> {
  await page.addInitScript(
    ([kept, wanted]) => {
      if (window.top !== window || !location.hostname) return;
      localStorage.setItem('gallery-session', JSON.stringify(kept));
      const key = `gallery-shell:${kept.owner}`;
      if (!localStorage.getItem(key)) localStorage.setItem(key, JSON.stringify({ version: 1, preference: wanted }));
    },
    [session, preference] as const,
  );
  const groups = Array.from({ length: more }, (_, at) => entry(`group${at}`, `分组${at}`, { children: [entry(`page${at}`, `页面${at}`)] }));
  if (more > 0 || added.length > 0)
    await page.route('**/menu/routes*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: object[] };
      await route.fulfill({ response, json: { ...body, data: [...body.data, ...groups, ...added] } });
    });
  await page.goto(product.address + path);
}

/** Changes the preference and reloads the page. */
async function prefer(page: Page, preference: object): Promise<void> {
  await page.evaluate(([owner, wanted]) => localStorage.setItem(`gallery-shell:${owner}`, JSON.stringify({ version: 1, preference: wanted })), [
    session.owner,
    preference,
  ] as const);
  await page.reload();
}

/** Returns the session record that the browser of a signed-in user stores. */
async function grantedSession() {
  const reply = await fetch(`${product.address}/api/things-auth/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sryx:sryx_secret')}` },
    body: new URLSearchParams({ grant_type: 'password', tenantId: '000000', username: 'admin', password: adminPassword }),
  });
  const { access_token, refresh_token, ...user } = (await reply.json()) as Record<string, string>;
  const owner = `${user.tenant_id}/${user.user_id}`;
  return { version: 1, owner, savedAt: Date.now(), accessToken: access_token, refreshToken: refresh_token, user: { ...user, roles: [user.role_name] } };
}
