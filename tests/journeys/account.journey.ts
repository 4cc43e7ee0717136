import { deflateSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import * as oidc from 'openid-client';
import { sparePort } from '../../scripts/port.mjs';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { collectErrors, openSignedIn } from './console.ts';
import { adminPassword, type Client, Product } from './product.ts';

const password = 'Evening-Walk-2026';
let provider: ScriptedProvider;
let product: Product;
let admin: Client;

test.beforeAll(async () => {
  const port = await sparePort();
  provider = await startScriptedProvider();
  provider.on('/authorize', ({ query }) => ({ status: 302, headers: { location: `${query.redirect_uri}?code=c0de&state=${query.state}` }, body: '' }));
  provider.on('/token', { body: { access_token: 'gho_1', token_type: 'bearer' } });
  provider.on('/user', { body: { id: 7, login: 'cat', name: '猫', avatar_url: '', email: null } });
  const addresses = { authorize: `${provider.origin}/authorize`, token: `${provider.origin}/token`, user: `${provider.origin}/user` };
  product = new Product({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SOCIAL_ENDPOINTS: JSON.stringify({ github: addresses }),
    CAPTCHA_MODE: 'off',
  });
  await product.start();
  admin = await product.signIn();
  await admin.post('/api/blade-system/social-app/submit', { source: 'github', clientId: 'app', clientSecret: 'secret', isEnabled: 1 });
  await admin.post('/api/blade-system/param/submit', { paramName: '开放注册', paramKey: 'account.registerUser', paramValue: 'true' });
});
test.afterAll(async () => {
  await product.discard();
  await provider.stop();
});

/** Creates a user whose one role has the menus with these codes; returns a function that changes the grants. */
async function createUser(account: string, codes: readonly string[]): Promise<(codes: readonly string[]) => Promise<void>> {
  const { data: role } = await admin.post('/api/oms-system/role/submit', { roleName: account, roleAlias: 'user', sort: 1 });
  const give = async (given: readonly string[]) => {
    const menuIds = await menuIdsOf(given);
    expect(await admin.post('/api/oms-system/role/setrolemenus', { roleId: role.id, menuIds })).toMatchObject({ code: 200 });
  };
  await give(codes);
  const reply = await fetch(`${product.address}/api/things-auth/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sryx:')}` },
    body: new URLSearchParams({ grant_type: 'register', tenantId: '000000', name: account, username: account, password }),
  });
  expect(reply.status, await reply.clone().text()).toBe(200);
  const { data } = await admin.get('/api/blade-system/registration/list', { account, size: 1 });
  expect(await admin.post('/api/blade-system/registration/approve', { id: data.records[0].id, roleIds: [role.id] })).toMatchObject({ code: 200 });
  return give;
}

interface MenuNode {
  readonly id: string;
  readonly code: string;
  readonly children?: readonly MenuNode[];
}

async function menuIdsOf(codes: readonly string[]): Promise<string[]> {
  const flat = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
  const { data } = await admin.get('/api/blade-system/menu/list');
  const found = flat(data).filter(({ code }) => codes.includes(code));
  expect(found.map(({ code }) => code).sort()).toEqual([...codes].sort());
  return found.map(({ id }) => id);
}

/** Returns an image of one pixel. */
function pixel(): Buffer {
  const crc = (bytes: Buffer) => {
    let value = -1;
    for (const byte of bytes) {
      value ^= byte;
      for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
    return ~value >>> 0;
  };
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from([0, 200, 30, 30]))), chunk('IEND', Buffer.alloc(0))]);
}

test('personal page: the user changes the picture, a linked identity and other sessions', async ({ page, browser }) => {
  const errors = collectErrors(page);
  await createUser('walker', ['param']);
  await openSignedIn(page, product, '/info/index', 'walker', password);

  await test.step('a picture is shown once it is saved, and removed again', async () => {
    const section = page.getByRole('region', { name: '基本信息' });
    await expect(section.getByRole('button', { name: '更换头像' })).toBeVisible();
    await page.getByTestId('avatar').setInputFiles({ name: 'too-large.png', mimeType: 'image/png', buffer: Buffer.alloc(3 * 1024 * 1024) });
    await expect(page.getByText('图片不能超过 2 MB')).toBeVisible();
    await page.getByTestId('avatar').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pixel() });
    await expect(page.getByText('头像已更新')).toBeVisible();
    await expect.poll(() => section.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await page.reload();
    await expect.poll(() => section.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await section.getByRole('button', { name: '移除头像' }).click();
    await expect(section.locator('img')).toHaveCount(0);
  });

  await test.step('an identity is linked at the provider and unlinked', async () => {
    const section = page.getByRole('region', { name: '第三方账号' });
    await section.getByRole('button', { name: '绑定 GitHub', exact: true }).click();
    await expect(section.getByText('已绑定：猫')).toBeVisible();
    await expect(page).toHaveURL(/\/info\/index$/);
    await section.getByRole('button', { name: '解除绑定 GitHub' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '解除绑定' }).click();
    await expect(section.getByText('未绑定', { exact: true })).toBeVisible();
  });

  await test.step('another session of the user is listed and ended', async () => {
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await openSignedIn(other, product, '/info/index', 'walker', password);
    await page.reload();
    const section = page.getByRole('region', { name: '登录设备' });
    await expect(section.getByText('本设备')).toHaveCount(1);
    await section
      .getByRole('button', { name: /^结束 .+ 的登录$/ })
      .first()
      .click();
    await expect(section.getByText('没有其他设备登录。')).toBeVisible();
    await expect(other.getByText('本次登录已在其他设备上或由身份提供方结束。')).toBeVisible();
    await elsewhere.close();
  });
  expect(errors).toEqual([]);
});

test('another program gets the identity: with consent, with a refusal, and at once if it is trusted', async ({ page }) => {
  const back = `${provider.origin}/back`;
  provider.on('/back', { body: 'back at the reports' });
  const client = { clientId: 'reports', authorizedGrantTypes: ['authorization_code'], webServerRedirectUri: back };
  const { data: kept } = await admin.post('/api/blade-system/client/submit', client);
  const metadata = {
    issuer: product.address,
    authorization_endpoint: `${product.address}/oauth/authorize`,
    token_endpoint: `${product.address}/api/blade-auth/oauth/token`,
  };
  const settings = new oidc.Configuration(metadata, client.clientId, undefined, oidc.ClientSecretBasic(kept.clientSecret));
  oidc.allowInsecureRequests(settings);
  const setOut = async () => {
    const verifier = oidc.randomPKCECodeVerifier();
    const state = oidc.randomState();
    const challenge = await oidc.calculatePKCECodeChallenge(verifier);
    const asked = { redirect_uri: back, state, code_challenge: challenge, code_challenge_method: 'S256' };
    await page.goto(oidc.buildAuthorizationUrl(settings, asked).href);
    return async () => {
      await expect(page.getByText('back at the reports')).toBeVisible();
      return oidc.authorizationCodeGrant(settings, new URL(page.url()), { expectedState: state, pkceCodeVerifier: verifier });
    };
  };
  const consent = page.getByRole('region', { name: '授权登录' });

  const first = await setOut();
  await page.getByRole('textbox', { name: '用户名' }).fill('admin');
  await page.getByLabel('密码', { exact: true }).fill(adminPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(consent.getByText('「reports」请求使用您的账号登录。')).toBeVisible();
  await consent.getByRole('button', { name: '同意' }).click();
  expect(await first()).toMatchObject({ account: 'admin', token_type: 'bearer' });

  const second = await setOut();
  await consent.getByRole('button', { name: '拒绝' }).click();
  await expect(second()).rejects.toMatchObject({ error: 'access_denied' });

  expect(await admin.post('/api/blade-system/client/submit', { ...client, id: kept.id, autoapprove: true })).toMatchObject({ code: 200 });
  const third = await setOut();
  expect(await third()).toMatchObject({ account: 'admin' });
});

const navigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });

test('permissions removed from a role disappear from its open consoles within two seconds, and from the API', async ({ page }) => {
  const give = await createUser('clerk', ['param', 'param_add', 'param_view', 'dict']);
  const clerk = await product.signIn('clerk', password);
  const added = await clerk.post('/api/blade-system/param/submit', { paramName: '甲', paramKey: 'clerk.one', paramValue: '1' });
  expect(added).toMatchObject({ code: 200 });
  await openSignedIn(page, product, '/system/param/index', 'clerk', password);
  await expect(page.getByRole('button', { name: '新增' })).toBeVisible();
  await expect(navigation(page).getByText('系统字典')).toBeVisible();
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(window, { goneAt: seen });
    const isThere = (text: string) => document.getElementById('root')?.textContent?.includes(text);
    new MutationObserver(() => {
      for (const text of ['新增', '系统字典']) if (!isThere(text)) seen[text] ??= Date.now();
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });

  await give(['param', 'param_view']);
  const taken = Date.now();
  await expect(page.getByRole('button', { name: '新增' })).toHaveCount(0);
  await expect(navigation(page).getByText('系统字典')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /clerk\.one/ })).toBeVisible();
  const gone = await page.evaluate(() => (window as unknown as { goneAt: Record<string, number> }).goneAt);
  for (const at of [gone.新增, gone.系统字典]) expect((at ?? Number.POSITIVE_INFINITY) - taken).toBeLessThan(2000);
  expect(await clerk.post('/api/blade-system/param/submit', { paramName: '乙', paramKey: 'clerk.two', paramValue: '1' })).toMatchObject({ status: 403 });
  expect(await clerk.get('/api/blade-system/dict/list')).toMatchObject({ status: 403 });

  await give([]);
  await expect(page.getByRole('row', { name: /clerk\.one/ })).toHaveCount(0);
  expect(await clerk.get('/api/blade-system/param/list')).toMatchObject({ status: 403 });
});

test('a refresh whose answer is lost ends the session, and unsaved input is saved after signing in again', async ({ page, context }) => {
  await createUser('drafter', ['param', 'param_add']);
  await openSignedIn(page, product, '/system/param/index', 'drafter', password);
  await page.getByRole('button', { name: '新增' }).click();
  const form = page.getByRole('dialog', { name: '新增' });
  await form.getByRole('textbox', { name: '参数名称' }).fill('写到一半');
  await form.getByLabel('参数键名', { exact: true }).fill('half.typed');
  await form.getByRole('textbox', { name: '参数键值' }).fill('1');

  await test.step('the access token has expired, and the server’s answer to the refresh never arrives', async () => {
    let lost = 0;
    await page.route('**/oauth/token*', async (route) => {
      await route.fetch();
      await route.abort();
      lost += 1;
    });
    const other = await context.newPage();
    await other.goto(`${product.address}/health/live`);
    await other.evaluate(() => {
      const record = JSON.parse(localStorage.getItem('marquee-session') ?? '{}');
      localStorage.setItem('marquee-session', JSON.stringify({ ...record, accessToken: 'spoilt' }));
    });
    await other.close();
    await form.getByRole('button', { name: '保存', exact: true }).click();
    await expect.poll(() => lost).toBeGreaterThan(0);
    await page.unroute('**/oauth/token*');
    await expect(form.getByRole('button', { name: '保存', exact: true })).toBeEnabled();
    await form.getByRole('button', { name: '保存', exact: true }).click();
  });

  const dialog = page.getByRole('dialog', { name: '登录已过期' });
  await expect(dialog.getByText('检测到登录凭证被重复使用，为了安全，本次登录已结束。')).toBeVisible();
  await dialog.getByRole('textbox', { name: '用户名' }).fill('drafter');
  await dialog.getByLabel('密码', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(form.getByRole('textbox', { name: '参数名称' })).toHaveValue('写到一半');
  await form.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByRole('row', { name: /half\.typed/ })).toBeVisible();
});
