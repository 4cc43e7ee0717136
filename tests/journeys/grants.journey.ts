import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { hash } from '@node-rs/argon2';
import { expect, test } from '@playwright/test';
import { actOn, openFilters, openSignedIn, signInThroughPage } from './console.ts';
import { Product } from './product.ts';

const product = new Product();
const password = 'Reads-And-Writes-1';

test.beforeAll(async () => {
  await product.start();
  await product.stop();
  await addAuditor(join(product.directory, 'database/postgres'));
  await product.start();
});
test.afterAll(() => product.discard());

test('permissions that a role lacks are neither on screen nor in the API', async ({ page }) => {
  const administrator = await product.signIn();
  const saved = await administrator.post('/api/blade-system/param/submit', { paramName: '保留期', paramKey: 'log.retention', paramValue: '180' });
  const auditor = await product.signIn('auditor', password);

  await page.goto(`${product.address}/system/param`);
  await signInThroughPage(page, 'auditor', password);
  await expect(page).toHaveURL(/\/system\/param\/index$/);
  const row = page.getByRole('row', { name: /log\.retention/ });
  await expect(row.getByRole('button', { name: '编辑' })).toBeVisible();
  await expect(row.getByRole('button', { name: '删除' })).toHaveCount(0);
  // No menu of further actions either.
  await expect(row.locator('[aria-haspopup=menu]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: '批量删除' })).toHaveCount(0);

  expect(await auditor.post('/api/blade-system/param/remove', { ids: saved.data.id })).toMatchObject({ status: 403, code: 403, msg: '请求被拒绝' });
  expect(await auditor.post('/api/blade-system/param/submit', { ...editable(saved.data), paramValue: '90' })).toMatchObject({ code: 200 });
  expect(await auditor.get('/api/blade-system/param/detail', { id: saved.data.id })).toMatchObject({ code: 200, data: { paramValue: '90' } });
});

test('a disabled plugin disappears from every open console within two seconds, and returns as fast', async ({ page, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage();
  await openSignedIn(elsewhere, product, '/base/region/index');
  await openSignedIn(page, product, '/system/plugin/index');
  const entry = elsewhere.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '行政区划' });
  await expect(entry).toBeVisible();
  const turn = page.getByRole('switch', { name: '行政区划' });
  await turn.click();
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click();
  await expect(page.getByText('已停用「行政区划」')).toBeVisible();
  await expect(entry).toHaveCount(0, { timeout: 2000 });
  await expect(elsewhere.getByText('管理员已停用插件「行政区划」')).toBeVisible();
  await turn.click();
  await expect(page.getByText('已启用「行政区划」')).toBeVisible();
  await expect(entry).toBeVisible({ timeout: 2000 });
  await elsewhere.context().close();
});

test('a view is offered to users who can open the page, by name or link, with their own permissions', async ({ browser }) => {
  const administrator = await product.signIn();
  for (const [paramName, paramKey] of [
    ['共享甲', 'shared.one'],
    ['共享乙', 'shared.two'],
  ])
    await administrator.post('/api/blade-system/param/submit', { paramName, paramKey, paramValue: '1' });
  const giver = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await giver.newPage();
  await openSignedIn(page, product, '/system/param/index');
  await page.getByRole('textbox', { name: '参数名称' }).fill('共享');
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page.locator('tr[data-row]')).toHaveCount(2);
  await page.getByRole('button', { name: '视图', exact: true }).click();
  await page.getByRole('dialog', { name: '视图' }).getByRole('button', { name: '复制链接', exact: true }).click();
  await expect(page.getByText('链接已复制')).toBeVisible();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  await page.getByRole('textbox', { name: '视图名称' }).fill('共享的参数');
  await page.getByRole('button', { name: '保存为视图' }).click();
  await page.getByRole('button', { name: '与同事共享「共享的参数」' }).click();
  await expect(page.getByRole('button', { name: '撤回共享「共享的参数」' })).toBeVisible();
  await giver.close();

  const taker = await browser.newContext();
  const theirs = await taker.newPage();
  await openSignedIn(theirs, product, link.pathname + link.search, 'auditor', password);
  await expect(theirs.locator('tr[data-row]')).toHaveCount(2);
  await expect(theirs.getByRole('row', { name: /shared\.one/ })).toBeVisible();
  await expect(theirs.getByRole('button', { name: '批量删除' })).toHaveCount(0);
  await (await openFilters(theirs)).getByRole('button', { name: '重置' }).click();
  await expect(theirs.getByRole('list', { name: '生效的条件' })).toHaveCount(0);
  await theirs.getByRole('button', { name: '视图', exact: true }).click();
  const shared = theirs.getByRole('region', { name: '共享视图' });
  await expect(shared.getByRole('button', { name: /撤回共享/ })).toHaveCount(0);
  await shared.getByRole('button', { name: /^共享的参数/ }).click();
  await expect(theirs.locator('tr[data-row]')).toHaveCount(2);
  await taker.close();
});

test('an administrator previews a role, can change nothing meanwhile, and returns with one click', async ({ page }) => {
  await openSignedIn(page, product, '/authority/role/index');
  await actOn(page.getByRole('row', { name: /auditor/ }), '预览');
  const banner = page.getByRole('region', { name: '角色预览' });
  await expect(banner).toContainText('正在以「审核」预览');
  const navigation = page.getByRole('navigation', { name: '主导航' });
  await navigation.getByRole('button', { name: '系统管理' }).click();
  await expect(navigation.getByRole('link', { name: '系统参数' })).toBeVisible();
  await expect(navigation.getByRole('link', { name: '用户管理' })).toHaveCount(0);
  await navigation.getByRole('link', { name: '系统参数' }).click();
  await actOn(page.locator('tr[data-row]').first(), '编辑');
  await page.getByRole('dialog').getByRole('textbox', { name: '参数名称' }).fill('改不了');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('正在预览其他角色，不能更改任何内容，请先结束预览')).toBeVisible();
  await page.reload();
  await banner.getByRole('button', { name: '结束预览' }).click();
  await expect(banner).toHaveCount(0);
  await navigation.getByRole('button', { name: '组织与权限' }).click();
  await expect(navigation.getByRole('link', { name: '用户管理' })).toBeVisible();
});

const editable = ({ id, paramName, paramKey }: Record<string, string>) => ({ id, paramName, paramKey });

/** Creates a user whose role has all permissions of parameters except deletion, directly in the database, because another plugin manages users. */
async function addAuditor(directory: string): Promise<void> {
  const database = await PGlite.create(directory);
  const stored = await hash(createHash('md5').update(password).digest('hex'));
  await database.exec(`
    select set_config('app.tenant', '000000', false);
    with new_user as (
      insert into user_account (tenant_id, account, password_hash, name, real_name) values ('000000', 'auditor', '${stored}', '审核员', '审核员') returning id
    ), new_role as (
      insert into role (tenant_id, role_name, role_alias) values ('000000', '审核', 'auditor') returning id
    ), granted as (
      insert into role_menu (tenant_id, role_id, menu_id) select '000000', new_role.id, menu.id from new_role, menu where code in ('param', 'param_add', 'param_edit', 'param_view')
    )
    insert into user_role (tenant_id, user_id, role_id) select '000000', new_user.id, new_role.id from new_user, new_role;
  `);
  await database.close();
}
