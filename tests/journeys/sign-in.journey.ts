import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { sparePort } from '../../scripts/port.mjs';
import { type RealIssuer, realIssuer } from '../support/real-issuer.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { openSignedIn, signInThroughPage } from './console.ts';
import { adminPassword, type Client, captchaAnswer, Product } from './product.ts';

const password = 'Evening-Walk-2026';
const phone = '13812345678';
let provider: ScriptedProvider;
let issuer: RealIssuer;
let product: Product;
let admin: Client;

/** Starts a product with all sign-in methods, and an approved user with a phone number and an e-mail address. */
test.beforeAll(async () => {
  const port = await sparePort();
  const web = `http://localhost:${port}`;
  provider = await startScriptedProvider();
  provider.on('/authorize', ({ query }) => ({ status: 302, headers: { location: `${query.redirect_uri}?code=c0de&state=${query.state}` }, body: '' }));
  provider.on('/token', { body: { access_token: 'gho_1', token_type: 'bearer' } });
  issuer = await realIssuer({ id: 'marquee', secret: 'a secret for single sign-on', redirectUri: `${web}/oauth/redirect/sso` });
  const addresses = { authorize: `${provider.origin}/authorize`, token: `${provider.origin}/token`, user: `${provider.origin}/user` };
  product = new Product({
    PORT: String(port),
    PUBLIC_URL: web,
    SOCIAL_ENDPOINTS: JSON.stringify({ github: addresses }),
    SSO_ISSUER: issuer.issuer,
    SSO_CLIENT_ID: 'marquee',
    SSO_CLIENT_SECRET: 'a secret for single sign-on',
    SSO_MATCH: 'email',
  });
  await product.start();
  admin = await product.signIn();
  await admin.post('/api/blade-system/social-app/submit', { source: 'github', clientId: 'app', clientSecret: 'secret', isEnabled: 1 });
  await saveParameter('account.registerUser', 'true');
  await register('walker');
  await approve('walker');
});
test.afterAll(async () => {
  await product.discard();
  await issuer.stop();
  await provider.stop();
});

async function saveParameter(paramKey: string, paramValue: string): Promise<void> {
  const known = (await admin.get('/api/blade-system/param/list', { paramKey, size: 10 })).data.records.find(
    (row: { paramKey: string }) => row.paramKey === paramKey,
  );
  expect(await admin.post('/api/blade-system/param/submit', { paramName: paramKey, paramKey, paramValue, ...(known ? { id: known.id } : {}) })).toMatchObject({
    code: 200,
  });
}

async function register(username: string): Promise<void> {
  const captcha = (await (await fetch(`${product.address}/api/things-auth/oauth/captcha`)).json()) as { key: string };
  const reply = await fetch(`${product.address}/api/things-auth/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sryx:')}`, 'captcha-key': captcha.key, 'captcha-code': captchaAnswer },
    body: new URLSearchParams({ grant_type: 'register', tenantId: '000000', name: '行者', username, password, phone, email: 'ada@company.test' }),
  });
  expect(reply.status, await reply.text()).toBe(200);
}

async function approve(account: string): Promise<void> {
  const { data } = await admin.get('/api/blade-system/registration/list', { account, size: 10 });
  const roles = (await admin.get('/api/blade-system/registration/roles')).data as { id: string }[];
  const [row] = data.records;
  expect(await admin.post('/api/blade-system/registration/approve', { id: row.id, roleIds: roles.map(({ id }) => id) })).toMatchObject({ code: 200 });
}

const navigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const account = (page: Page, name: string) => page.getByRole('button', { name: `账户：${name}` });
const identifiedAs = (id: number) => provider.on('/user', { body: { id, login: `cat-${id}`, name: '猫', avatar_url: '', email: null } });
/** Returns the session record that this browser stores. */
const stored = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('marquee-session') ?? 'null') as { accessToken: string } | null);

async function fillPassword(page: Page, name: string, secret: string): Promise<void> {
  await page.getByRole('textbox', { name: '用户名' }).fill(name);
  await page.getByLabel('密码', { exact: true }).fill(secret);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

test('by phone: errors are shown, a code is sent, counted down and signs in', async ({ page }) => {
  await page.goto(product.address);
  await page.getByRole('button', { name: '手机号' }).click();
  const field = page.getByRole('textbox', { name: '手机号' });
  const send = page.getByRole('button', { name: '获取验证码' });
  await send.click();
  await expect(page.getByText('手机号码不能为空')).toBeVisible();
  await field.fill('1381234');
  await expect(page.getByText('手机号码长度不为11位')).toBeVisible();
  await field.fill('01012345678');
  await expect(page.getByText('手机号码格式不正确')).toBeVisible();
  await field.fill(phone);
  await send.click();
  await expect(page.getByRole('button', { name: /秒后可重新获取/ })).toBeVisible();
  const code = page.getByRole('textbox', { name: '短信验证码' });
  await expect(code).toBeFocused();
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByText('验证码不正确')).toBeVisible();
  const { data } = await admin.get('/api/blade-system/sms-outbox/list', { phone, size: 1 });
  await code.fill(/\d{4,8}/.exec(data.records[0].content)?.[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(account(page, '行者')).toBeVisible();
});

test('by a provider: a new user requests an account, waits, is approved and signs in directly from then on', async ({ page }) => {
  identifiedAs(1);
  await page.goto(product.address);
  await page.getByRole('button', { name: 'GitHub' }).click();
  const dialog = page.getByRole('dialog', { name: '注册' });
  await dialog.getByRole('button', { name: '提交申请' }).click();
  await expect(dialog.getByText('请先输入账号名称')).toBeVisible();
  await expect(dialog.getByText('请先输入密码').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: '账号名称' }).fill('stranger');
  await dialog.getByLabel('密码', { exact: true }).fill(password);
  await dialog.getByLabel('确认密码').fill('something-else-1');
  await dialog.getByRole('button', { name: '提交申请' }).click();
  await expect(dialog.getByText('两次密码输入不一致')).toBeVisible();
  await dialog.getByLabel('确认密码').fill(password);
  await dialog.getByRole('button', { name: '提交申请' }).click();
  const told = page.getByRole('dialog', { name: '注册提示' });
  await expect(told.getByText('注册申请已提交,请耐心等待管理员通过!')).toBeVisible();
  await told.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await stored(page)).toBeNull();

  await approve('stranger');
  await page.getByRole('button', { name: 'GitHub' }).click();
  await expect(account(page, '猫')).toBeVisible();
  await expect(page).toHaveURL(/\/wel\/index$/);

  await test.step('by another host name: signed in under the public one, at the requested page', async () => {
    await page.goto(`${product.address.replace('localhost', '127.0.0.1')}/info/index`);
    await page.getByRole('button', { name: 'GitHub' }).click();
    await expect(account(page, '猫')).toBeVisible();
    await expect(page).toHaveURL(`${product.address}/info/index`);
  });
});

test('a refused sign-in and an invalid reply of a provider lead back to the sign-in page', async ({ page }) => {
  await page.goto(`${product.address}/oauth/redirect/github?error=access_denied&state=x`);
  await expect(page.getByRole('heading', { name: '无法通过GitHub登录' })).toBeVisible();
  await expect(page.getByText('您已取消授权，未登录。')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto(`${product.address}/oauth/redirect/github?code=c0de&state=abc`);
  await expect(page.locator('#root').getByRole('alert').getByText('登录请求已失效')).toBeVisible();
  await page.getByRole('button', { name: '返回登录' }).click();
  await expect(page.getByRole('textbox', { name: '用户名' })).toBeVisible();
});

test('by single sign-on, back to the requested page', async ({ page }) => {
  await page.goto(`${product.address}/info/index`);
  await page.getByRole('button', { name: '单点登录' }).click();
  await page.locator('[name=login]').fill('ada');
  await page.locator('[name=password]').fill('anything');
  await page.locator('[type=submit]').click();
  await page.locator('[type=submit]').click();
  await expect(account(page, '行者')).toBeVisible();
  await expect(page).toHaveURL(/\/info\/index$/);
});

test('the browser solves the proof of work, or the user selects the picture, by keyboard only', async ({ page }) => {
  await page.goto(product.address);
  await page.getByRole('textbox', { name: '用户名' }).fill('walker');
  await page.getByLabel('密码', { exact: true }).fill(password);
  const other = page.getByRole('button', { name: '看不清图片？改用自动验证' });
  const back = page.getByRole('button', { name: '改用图片验证码' });
  await expect(back).toHaveAccessibleDescription(/自动验证/);
  await expect(page.getByRole('progressbar', { name: '自动验证' })).toBeVisible();
  await back.press('Enter');
  await expect(page.getByRole('textbox', { name: '验证码' })).toBeFocused();
  const picture = page.getByRole('img', { name: '验证码图片' });
  await expect(picture).toHaveJSProperty('naturalWidth', 130);
  await expect(other).toBeVisible();
  await other.press('Enter');
  await expect(back).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: '自动验证已完成' })).toBeVisible({ timeout: 90_000 });
  await expect(back).toHaveAccessibleDescription('自动验证已完成');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(account(page, '行者')).toBeVisible();
});

test('a second factor is set up, required at sign-in, replaced by a recovery code, and turned off', async ({ page }) => {
  await register('careful');
  await approve('careful');
  await page.goto(`${product.address}/info/index`);
  await fillPassword(page, 'careful', password);
  const section = page.getByRole('region', { name: '二次验证' });
  await section.getByRole('button', { name: '启用二次验证' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('当前密码', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(dialog.getByRole('img', { name: '用验证器应用扫描的二维码' })).toBeVisible();
  const secret = ((await dialog.locator('code').textContent()) ?? '').replace(/\s/g, '');
  const codeOf = (steps = 0) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await dialog.getByRole('textbox', { name: '动态验证码' }).fill(codeOf());
  await dialog.getByRole('button', { name: '启用' }).click();
  await expect(dialog.getByRole('heading', { name: '请保存恢复码' })).toBeVisible();
  const [recovery = ''] = await dialog.getByRole('listitem').allTextContents();
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await expect(section.getByText('已启用', { exact: true })).toBeVisible();

  await signOut(page, '行者');
  await fillPassword(page, 'careful', password);
  await expect(page.getByRole('heading', { name: '二次验证' })).toBeVisible();
  await page.getByRole('textbox', { name: '动态验证码' }).fill(codeOf(1));
  await expect(navigation(page)).toBeVisible();

  await signOut(page, '行者');
  await fillPassword(page, 'careful', password);
  await page.getByRole('button', { name: '无法使用验证器？使用恢复码' }).click();
  await page.getByRole('textbox', { name: '恢复码' }).fill(recovery);
  await page.getByRole('button', { name: '验证', exact: true }).click();
  await expect(navigation(page)).toBeVisible();

  await page.goto(`${product.address}/info/index`);
  await section.getByRole('button', { name: '关闭二次验证' }).click();
  await dialog.getByLabel('当前密码', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(section.getByText('未启用', { exact: true })).toBeVisible();
});

async function signOut(page: Page, name: string): Promise<void> {
  await account(page, name).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

async function newTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(product.address + path);
  return page;
}

test('signing out clears tokens, cookies, menu and codes in every tab at once', async ({ page, context }) => {
  await openSignedIn(page, product, '/info/index', 'walker', password);
  const other = await newTab(context, '/wel/index');
  await expect(navigation(other)).toBeVisible();
  await signOut(page, '行者');
  await expect(other).toHaveURL(/\/login$/);
  for (const tab of [page, other]) {
    expect(await stored(tab)).toBeNull();
    const kept = await tab.evaluate(() => JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage)]));
    expect(kept).not.toMatch(/menu|buttons|locked|tabs:/);
  }
  const cookies = (await context.cookies()).filter(({ name, value }) => /token/.test(name) && value !== '');
  expect(cookies).toEqual([]);
});

test('two tabs that meet an expired token refresh it once', async ({ page, context }) => {
  await openSignedIn(page, product, '/info/index', 'walker', password);
  const other = await newTab(context, '/wel/index');
  await expect(navigation(other)).toBeVisible();
  const refused = new Set<Page>();
  for (const tab of [page, other]) tab.on('response', (response) => response.status() === 401 && refused.add(tab));
  let refreshes = 0;
  await context.route('**/oauth/token*', async (route) => {
    refreshes += 1;
    // The second tab is refused before the first one has its new token.
    await expect.poll(() => refused.size).toBe(2);
    await route.continue();
  });
  // No console is open meanwhile: one that is closed during a refresh would lose the reply.
  await Promise.all([page, other].map((tab) => tab.goto(`${product.address}/health/live`)));
  await page.evaluate(() => {
    const record = JSON.parse(localStorage.getItem('marquee-session') ?? '{}');
    localStorage.setItem('marquee-session', JSON.stringify({ ...record, accessToken: 'spoilt' }));
  });
  await Promise.all([page.goto(`${product.address}/info/index`), other.goto(`${product.address}/wel/index`)]);
  for (const tab of [page, other]) await expect(navigation(tab)).toBeVisible();
  await expect.poll(async () => (await stored(page))?.accessToken).not.toBe('spoilt');
  expect(refreshes).toBe(1);
});

test('a session ended by an administrator says so at once, and the page continues after signing in again', async ({ page }) => {
  await openSignedIn(page, product, '/info/index', 'walker', password);
  await page.getByLabel('原密码').fill('half-typed');
  const { data } = await admin.get('/api/blade-system/online/list', { account: 'walker', size: 50 });
  await admin.post('/api/blade-system/online/kick', { ids: data.records.map(({ id }: { id: string }) => id) });
  const dialog = page.getByRole('dialog', { name: '登录已过期' });
  await expect(dialog.getByText('管理员已结束您的本次登录。')).toBeVisible();
  await dialog.getByRole('textbox', { name: '用户名' }).fill('walker');
  await dialog.getByLabel('密码', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('原密码')).toHaveValue('half-typed');
});

test('another account in a second tab: the first one says so and switches to it', async ({ page, context }) => {
  await openSignedIn(page, product, '/wel/index', 'walker', password);
  const other = await context.newPage();
  await openSignedIn(other, product, '/wel/index', 'admin', adminPassword);
  const dialog = page.getByRole('dialog', { name: '已切换账号' });
  await expect(dialog.getByText('另一个标签页登录了「管理员」')).toBeVisible();
  await dialog.getByRole('button', { name: '以「管理员」继续' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(account(page, '管理员')).toBeVisible();
});

test('a lock, another account and a sign-out: locked screens stay with their owner', async ({ page }) => {
  await openSignedIn(page, product, '/wel/index', 'walker', password);
  await page.getByRole('button', { name: '锁屏' }).click();
  await page.getByLabel('锁屏密码', { exact: true }).fill('noodles');
  await page.getByRole('button', { name: '锁定屏幕' }).click();
  await expect(page).toHaveURL(/\/lock$/);
  await page.getByRole('button', { name: '退出登录' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signInThroughPage(page);
  await expect(account(page, '管理员')).toBeVisible();
  await signOut(page, '管理员');
});
