import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { visit } from './tabs.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'marquee-written-'));

/** Plugins that the author does not work on, and that are therefore not built. */
const others = [
  'alipay',
  'bank-file',
  'base-data',
  'codegen',
  'job',
  'log',
  'miniapp',
  'payee',
  'payment',
  'plugins',
  'region',
  'resource',
  'session',
  'sms',
  'storage',
  'task',
  'tenant',
  'wechat-pay',
];

test.beforeAll(() => {
  mkdirSync(join(folder, 'notice'));
  cpSync(join(root, 'src/plugins/notice'), join(folder, 'notice'), { recursive: true });
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ extends: join(root, 'plugins.manifest.json'), without: ['notice', ...others], with: ['./notice'] }),
  );
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Edits a file of the notice plugin as its author would. */
function write(file: string, from: string, to: string): void {
  const path = join(folder, 'notice', file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

test('npm run dev serves both halves; a changed plugin is replaced in the running console, and a restarting server is waited for', async ({ page }) => {
  page.setDefaultTimeout(30_000);
  const product = new Product({ PORT: String(await sparePort()), CAPTCHA_TEST_ANSWER: '', MARQUEE_MANIFEST: join(folder, 'manifest.json') }, [
    'scripts/dev.mjs',
  ]);
  try {
    await product.start();
    await page.goto(product.address);
    await expect(page).toHaveTitle('登录');
    await expect(page.getByRole('progressbar', { name: '自动验证' })).toBeVisible();

    await openSignedIn(page, product, '/system/param/index');
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    const isSame = () => page.evaluate(() => 'isSame' in window);
    await page.getByRole('button', { name: '新增', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: '参数名称' }).fill('尚未保存');
    await form.getByRole('textbox', { name: '参数键名' }).fill('not.saved');
    await form.getByRole('textbox', { name: '参数键值' }).fill('1');
    await visit(page, '/desk/notice/index');
    await expect(page.getByRole('button', { name: '新增', exact: true }).first()).toBeVisible();

    write('console/plugin.ts', "import('./NoticePage.tsx')", "Promise.resolve({ default: () => '今天没有通知' })");
    await expect(page.getByText('今天没有通知')).toBeVisible();
    write('console/plugin.ts', 'export default', "throw new Error('写错了');\nexport default");
    await expect(page.getByText('插件「通知公告」未运行')).toBeVisible();
    write('console/plugin.ts', "throw new Error('写错了');\n", '');
    await expect(page.getByText('今天没有通知')).toBeVisible();

    write('server/plugin.ts', 'const pollSeconds = 5', 'const pollSeconds = 6');
    await expect.poll(() => product.output).toContain('Restarting it');
    await visit(page, '/system/param/index');
    await expect(form.getByRole('textbox', { name: '参数名称' })).toHaveValue('尚未保存');
    await form.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('cell', { name: '尚未保存', exact: true })).toBeVisible();
    expect(await isSame()).toBe(true);
  } finally {
    await product.discard();
  }
});
