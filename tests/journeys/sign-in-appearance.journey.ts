import { expect, test } from '@playwright/test';
import { expectNoViolations, expectNoViolationsInLightAndDark, followDevice } from './axe.ts';
import { openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await sharedProduct();
});

/** All sign-in methods that a deployment can offer. */
const everyWay = {
  tenantMode: true,
  sms: true,
  social: ['wechat_open', 'dingtalk', 'qq', 'gitee', 'github'],
  sso: true,
  providers: [],
  guests: true,
  register: true,
};

const providers = [
  { source: 'idp1', name: 'Acme', kind: 'redirect' },
  { source: 'idp2', name: 'Directory', kind: 'password' },
];

for (const language of ['zh', 'en'] as const)
  test(`axe finds nothing in any way to sign in, ${language === 'zh' ? 'in Chinese, light and dark' : 'in English'}`, async ({ page }) => {
    const zh = language === 'zh';
    // Dark colours are the same in every language.
    const look = zh ? expectNoViolationsInLightAndDark : expectNoViolations;
    await followDevice(page);
    await page.addInitScript((chosen) => localStorage.setItem('marquee-language', JSON.stringify(chosen)), language);
    await page.route('**/oauth/ways*', (route) => route.fulfill({ json: { code: 200, success: true, msg: '', data: { ...everyWay, providers } } }));
    await page.goto(product.address);
    await expect(page.getByRole('button', { name: 'GitHub' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: zh ? '租户编号' : 'Tenant code' })).toBeVisible();
    await page.getByRole('button', { name: zh ? '登录' : 'Sign in', exact: true }).click();
    await look(page, 'account with its messages');
    await expect(page.getByRole('status').filter({ hasText: zh ? '自动验证已完成' : 'Automatic verification complete' })).toBeVisible();
    await look(page, 'work');
    await page.getByRole('button', { name: zh ? '改用图片验证码' : 'Use the image instead' }).click();
    await expect(page.getByRole('img', { name: zh ? '验证码图片' : 'Verification code image' })).toBeVisible();
    await look(page, 'picture');
    await page.getByRole('button', { name: zh ? '手机号' : 'Phone', exact: true }).click();
    await page.getByRole('button', { name: zh ? '获取验证码' : 'Send code' }).click();
    await look(page, 'phone with its messages');
    await expect(page.getByRole('button', { name: 'Acme' })).toBeVisible();
    await page.getByRole('button', { name: 'Directory' }).click();
    await page.getByRole('button', { name: zh ? '登录' : 'Sign in', exact: true }).click();
    await look(page, 'directory with its messages');
    await page.getByRole('button', { name: zh ? '没有账号？申请注册' : 'No account? Request one' }).click();
    await page.getByRole('button', { name: zh ? '提交申请' : 'Request an account' }).click();
    await look(page, 'registration with its messages');
    await page.goto(`${product.address}/oauth/redirect/github?error=access_denied`);
    await expect(page.getByRole('alert')).toBeVisible();
    await look(page, 'refused by a provider');
  });

test('the row of sign-in methods has its space reserved before it loads, and fits a narrow screen', async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/oauth/ways*', async (route) => {
    await held;
    await route.fulfill({ json: { code: 200, success: true, msg: '', data: { ...everyWay, tenantMode: false } } });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(product.address);
  await expect(page.getByRole('progressbar', { name: '自动验证' })).toBeVisible();
  const place = () => page.getByRole('textbox', { name: '用户名' }).boundingBox();
  const before = await place();
  release();
  await expect(page.getByRole('button', { name: 'GitHub' })).toBeVisible();
  expect(await place()).toEqual(before);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a tenant’s own picture appears beside the form once it is loaded, without a layout shift', async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/night.svg', async (route) => {
    await held;
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="900"><rect width="800" height="900" fill="#fff"/></svg>';
    await route.fulfill({ contentType: 'image/svg+xml', body });
  });
  const known = { tenantId: '000000', domain: 'lights.test', backgroundUrl: '/night.svg', ways: { ...everyWay, tenantMode: false } };
  await page.route('**/tenant/info*', (route) => route.fulfill({ json: { code: 200, success: true, msg: '', data: known } }));
  await page.goto(product.address);
  await expect(page.getByRole('button', { name: 'GitHub' })).toBeVisible();
  const brand = page.getByRole('region', { name: 'Marquee' });
  const places = () => Promise.all([page.getByRole('textbox', { name: '用户名' }), brand.locator('p').first(), brand].map((one) => one.boundingBox()));
  const before = await places();
  await expect(brand.locator('img[src="/night.svg"]')).toHaveCount(0);
  release();
  await expect(brand.locator('img[src="/night.svg"]')).toBeVisible();
  expect(await places()).toEqual(before);
});

test('axe finds nothing on the personal page, wide or narrow, and all of it is accessible by keyboard', async ({ page }) => {
  await openSignedIn(page, product, '/info/index');
  const sessions = page.getByRole('region', { name: '登录设备' });
  await expect(sessions.getByText('本设备')).toBeVisible();
  await expectNoViolations(page, 'account');
  await page.getByRole('navigation', { name: '个人设置' }).getByRole('button', { name: '登录设备' }).focus();
  await page.keyboard.press('Enter');
  await expect(sessions.getByRole('heading', { name: '登录设备' })).toBeFocused();
  await expect(sessions).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('navigation', { name: '个人设置' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectNoViolations(page, 'account, narrow');
});

test('another program requests the identity: its purpose is shown, and where both answers lead', async ({ page }) => {
  // Another screen manages applications, so the journey supplies the server's reply about one.
  const answers: string[] = [];
  await page.route('**/oauth/consent*', async (route) => {
    const request = route.request();
    if (!request.url().includes('/api/')) return route.fallback();
    const isAsked = request.method() === 'GET';
    if (!isAsked) answers.push(request.postData() ?? '');
    const data = isAsked ? { clientId: 'reports', host: 'reports.test', isTrusted: false } : { location: `${product.address}/404` };
    return route.fulfill({ json: { code: 200, success: true, msg: '', data } });
  });
  const request = 'client_id=reports&response_type=code&redirect_uri=https%3A%2F%2Freports.test%2Fback&state=s1';
  await openSignedIn(page, product, `/oauth/consent?${request}`);
  const section = page.getByRole('region', { name: '授权登录' });
  await expect(section.getByText('「reports」请求使用您的账号登录')).toBeVisible();
  await expect(page.getByRole('tab', { name: '授权登录' })).toHaveCount(0);
  await expectNoViolations(page, 'consent');
  await section.getByRole('button', { name: '同意' }).click();
  await expect(page).toHaveURL(/\/404$/);
  expect(JSON.parse(answers[0] ?? '')).toEqual({ ...Object.fromEntries(new URLSearchParams(request)), approve: true });
});
