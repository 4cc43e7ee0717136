import { type CDPSession, expect, type Page, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { expectNoViolations } from './axe.ts';
import { signInThroughPage } from './console.ts';
import { adminPassword, Product } from './product.ts';

let product: Product;
let web: string;

// Browsers have passkeys on localhost, but not at addresses of the network.
test.beforeAll(async () => {
  const port = await sparePort();
  web = `http://localhost:${port}`;
  product = new Product({ PORT: String(port), PUBLIC_URL: web, CAPTCHA_MODE: 'off' });
  await product.start();
});
test.afterAll(() => product.discard());

/** Gives the browser an authenticator with a passkey store, whose user is always verified. */
async function authenticatorOf(page: Page): Promise<{ readonly cdp: CDPSession; readonly authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, automaticPresenceSimulation: true } });
  return { cdp, authenticatorId };
}

const section = (page: Page) => page.getByRole('region', { name: '通行密钥' });

async function openAccount(page: Page): Promise<void> {
  await page.goto(`${web}/info/index`);
  await expect(section(page).getByRole('button', { name: '添加通行密钥' })).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /admin|管理员/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
}

test('a passkey is added, signs in alone and as second factor, and is refused once it has been removed', async ({ page }) => {
  const { cdp, authenticatorId } = await authenticatorOf(page);
  await page.goto(web);
  await signInThroughPage(page);
  await openAccount(page);
  await section(page).getByRole('button', { name: '添加通行密钥' }).click();
  await expect(page.getByText('通行密钥已添加')).toBeVisible();
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  await section(page)
    .getByRole('button', { name: /^重命名/ })
    .click();
  await page.getByRole('textbox', { name: '名称' }).fill('办公电脑');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(section(page).getByText('办公电脑')).toBeVisible();
  await expectNoViolations(page, 'passkeys of the account');

  await signOut(page);
  await page.getByRole('button', { name: '通行密钥' }).click();
  await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible();
  await openAccount(page);
  await expect(section(page).getByText(/最近使用/)).toBeVisible();

  await signOut(page);
  await signInThroughPage(page);
  await openAccount(page);
  await section(page).getByRole('button', { name: '删除 办公电脑' }).click();
  await page.getByRole('dialog', { name: '确定删除「办公电脑」？' }).getByRole('button', { name: '删除', exact: true }).click();
  await expect(page.getByText('通行密钥已删除')).toBeVisible();

  await signOut(page);
  await page.getByRole('button', { name: '通行密钥' }).click();
  await expect(page.getByRole('alert').or(page.getByText('无法验证该通行密钥')).first()).toContainText('无法验证该通行密钥');
  await page.getByRole('button', { name: '账号' }).click();
  await signInThroughPage(page, 'admin', adminPassword);
});
