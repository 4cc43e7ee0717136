import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { openSignedIn } from './console.ts';
import { type Product, sharedProduct } from './product.ts';
import { visit } from './tabs.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

/** Failures in the real bundle; `tests/kernel/host/plugin-host` covers all others. */
const broken: readonly { how: string; becomes: string; cause: RegExp }[] = [
  { how: 'throws while it is wired', becomes: 'id:"settings",provide(){throw new Error("broken on purpose")}', cause: /broken on purpose/ },
  { how: 'never finishes starting', becomes: 'id:"settings",start:()=>new Promise(()=>{})', cause: /5000/ },
];

for (const { how, becomes, cause } of broken) {
  test(`the shell starts and names a plugin that ${how}; the others work`, async ({ page }) => {
    await rewriteSettings(page, (text) => text.replace('id:"settings",title', `${becomes},title`));
    await openSignedIn(page, product, '/wel/index');
    const notice = page.getByRole('region', { name: '1 个功能未能启动' });
    await notice.getByText('1 个功能未能启动').click();
    await expect(notice.getByRole('listitem')).toContainText(/系统设置|settings/);
    await expect(notice.getByRole('listitem')).toContainText(cause);
    await visit(page, '/system/dict');
    await expect(page.getByRole('row', { name: /menu_category/ })).toBeVisible();
    await visit(page, '/system/param');
    await expect(page.getByText('插件「系统设置」未运行')).toBeVisible();
  });
}

test('a page that fails to load shows an error in its pane, and loads on retry', async ({ page }) => {
  let refused = true;
  await openSignedIn(page, product, '/wel/index');
  await expect(page.getByRole('heading', { name: '快捷入口' })).toBeVisible();
  await page.route('**/assets/**', (route) => (refused ? route.abort() : route.continue()));
  await page.getByRole('navigation', { name: '主导航' }).getByText('系统管理').click();
  await page.getByRole('navigation', { name: '主导航' }).getByText('系统参数').click();
  await expect(page.getByText('页面加载失败')).toBeVisible();
  refused = false;
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();
});

/** Returns the file of the console that contains a plugin of the build. */
function fileOf(plugin: string): string {
  const folder = join(import.meta.dirname, '../../dist/console/assets');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const found = names.find((name) => readFileSync(join(folder, name), 'utf8').includes(`id:"${plugin}",title`));
  if (found === undefined) throw new Error(`No file of the console holds the plugin "${plugin}".`);
  return found;
}

/** Rewrites the source of the plugin `settings` that the browser gets. */
async function rewriteSettings(page: Page, rewrite: (text: string) => string): Promise<void> {
  await page.route(`**/${fileOf('settings')}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: rewrite(await response.text()) });
  });
}
