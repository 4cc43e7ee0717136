import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openSignedIn } from './console.ts';
import { galleryProduct, sharedProduct } from './product.ts';

const root = join(import.meta.dirname, '../..');

test('a plugin that the manifest does not list is absent, and the rest works', async ({ page }) => {
  const text = ['console', 'server'].flatMap((half) => textsUnder(join(root, 'dist/gallery', half))).join('\n');
  for (const trace of ['支付配置', 'things-task/weixinpay', 'payment:owed', 'ledger_posting']) {
    expect(text, trace).not.toContain(trace);
    expect(textsUnder(join(root, 'dist/server')).join('\n'), trace).toContain(trace);
  }

  const gallery = await sharedProduct('gallery');
  const client = await gallery.signIn();
  expect(await client.get('/api/things-task/weixinpay/list')).toMatchObject({ status: 404, code: 404 });
  const buttons = JSON.stringify((await client.get('/api/blade-system/menu/buttons')).data);
  expect(buttons).toContain('param');
  expect(buttons).not.toContain('payout');
  await openSignedIn(page, gallery, '/task/payout/index');
  await expect(page).toHaveURL(/\/404$/);
  await page.goto(`${gallery.address}/system/param/index`);
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();
});

test('without the account page an initial password is still changed first, and no menu leads to the page', async ({ page }) => {
  // A first start that no other one has prepared is busy for a while, the more so beside others.
  test.setTimeout(180_000);
  const gallery = galleryProduct({ ADMIN_PASSWORD: '', CAPTCHA_MODE: 'off', CAPTCHA_TEST_ANSWER: '' });
  try {
    await gallery.start();
    await page.goto(gallery.address);
    await page.getByRole('textbox', { name: '用户名' }).fill('admin');
    await page.getByLabel('密码', { exact: true }).fill(readFileSync(join(gallery.directory, 'initial-password'), 'utf8').trim());
    // A server that is still busy answers later than a sign-in waits, and the user tries again.
    await expect(async () => {
      const button = page.getByRole('button', { name: '登录', exact: true });
      if (await button.isVisible()) await button.click({ timeout: 12_000 });
      await expect(page.getByRole('heading', { name: '请先设置新密码' })).toBeVisible({ timeout: 12_000 });
    }).toPass({ timeout: 120_000 });
    for (const field of ['新密码', '确认新密码']) await page.getByLabel(field, { exact: true }).fill('Evening-Lights-1');
    await page.getByRole('button', { name: '保存新密码' }).click();
    await page.getByRole('button', { name: /^账户：/ }).click();
    await expect(page.getByRole('menuitem', { name: '控制台' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: '修改密码' })).toHaveCount(0);
    await page.goto(`${gallery.address}/info/index`);
    await expect(page).toHaveURL(/\/404$/);
  } finally {
    await gallery.discard();
  }
});

test('the plugins of a deployment are listed as in its manifest', () => {
  const { plugins } = JSON.parse(readFileSync(join(root, 'plugins.manifest.json'), 'utf8')) as { plugins: string[] };
  const list = spawnSync(process.execPath, [join(root, 'scripts/plugin.mjs'), 'list', '--json'], { cwd: root, encoding: 'utf8' });
  expect(list.status, list.stderr).toBe(0);
  expect((JSON.parse(list.stdout) as { plugins: { id: string }[] }).plugins.map(({ id }) => id).sort()).toEqual([...plugins].sort());
});

function textsUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
