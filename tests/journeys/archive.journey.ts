import { expect, type Page, test } from '@playwright/test';
import { actOn, chooseTool, collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

const password = 'Reads-And-Writes-1';
const product = new Product();
let floor: TaskFloor;
let advertiser: string;

test.beforeAll(async () => {
  await product.start();
  floor = await openTaskFloor(product);
  await floor.publish();
  await sent(floor.admin.post('/api/oms-system/base/addadvertiser', { name: '书店', contact_name: '陈书', contact_phone: '13800000003' }));
  advertiser = (await floor.admin.get('/api/oms-system/base/advertiser/detail', { id: floor.parts.advertiserId })).data.name;
});
test.afterAll(() => product.discard());

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

const act = (page: Page, name: string, action: string) => actOn(rowOf(page, name).first(), action);

test('an advertiser in use is archived from the refused deletion, keeps its name in tasks, and comes back', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/base/advertiser/index');
  await act(page, advertiser, '删除');
  await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click();
  const inUse = page.getByRole('dialog', { name: '无法删除' });
  await expect(inUse.getByRole('listitem')).toHaveText(['任务列表：1 条']);
  await expect(inUse.getByRole('link')).toHaveAttribute('href', /\/task\/list\/index/);
  await inUse.getByRole('button', { name: '改为归档' }).click();
  await expect(page.getByText('已归档').first()).toBeVisible();
  await expect(rowOf(page, advertiser)).toHaveCount(0);

  await page.goto(`${product.address}/task/list/index`);
  await expect(page.getByText(`${advertiser}（已归档）`).first()).toBeVisible();
  await page.getByRole('button', { name: '新增', exact: true }).first().click();
  await page.getByRole('dialog').locator('[data-field=advertiserId]').getByRole('combobox').click();
  await expect(page.getByRole('option', { name: '书店' })).toBeVisible();
  await expect(page.getByRole('option', { name: advertiser })).toHaveCount(0);

  await page.goto(`${product.address}/base/advertiser/index`);
  await chooseTool(page, '已归档');
  const panel = page.getByRole('dialog', { name: '已归档' });
  await act(page, advertiser, '查看');
  await expect(page.getByRole('dialog', { name: new RegExp(`查看.*${advertiser}`) }).getByText('已归档')).toBeVisible();
  await page
    .getByRole('dialog', { name: new RegExp(`查看.*${advertiser}`) })
    .getByRole('button', { name: '关闭' })
    .last()
    .click();
  await panel.getByRole('button', { name: '取消归档' }).last().click();
  await expect(page.getByText('已取消归档')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rowOf(page, advertiser).first()).toBeVisible();
  expect(errors.filter((text) => !text.includes('409'))).toEqual([]);
});

test('a deleted category is restored from the recycle bin with the category below it', async ({ page }) => {
  const add = async (name: string, parentId: string) =>
    (await sent(floor.admin.post('/api/oms-system/base/addcategory', { name, parentId }))).data.id as string;
  const above = await add('待删分类', '0');
  const below = await add('待删下级', above);
  await sent(floor.admin.post('/api/oms-system/base/category/remove', { ids: [above, below] }));
  await openSignedIn(page, product, '/base/category/index');
  await expect(rowOf(page, '待删分类')).toHaveCount(0);
  await chooseTool(page, '回收站');
  const bin = page.getByRole('dialog', { name: '回收站' });
  await expect(bin.getByRole('columnheader', { name: '删除人' })).toBeVisible();
  await act(page, '待删分类', '恢复');
  await expect(page.getByText('已恢复')).toBeVisible();
  await expect(bin.getByText('待删下级')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(rowOf(page, '待删分类').first()).toBeVisible();
});

test('a user who may not delete sees archived records but neither the recycle bin nor an action that archives', async ({ page }) => {
  const { data: role } = await sent(floor.admin.post('/api/oms-system/role/submit', { roleName: '查阅', roleAlias: 'reader', parentId: '0', sort: 9 }));
  const { data: menus } = await floor.admin.get('/api/blade-system/menu/list', {});
  const ids: string[] = [];
  const collect = (entries: { id: string; code: string; children?: never[] }[]) => {
    for (const entry of entries) {
      if (['base', 'platform', 'platform_view'].includes(entry.code)) ids.push(entry.id);
      collect(entry.children ?? []);
    }
  };
  collect(menus);
  await sent(floor.admin.post('/api/oms-system/role/setrolemenus', { roleId: role.id, menuIds: ids }));
  const first = 'First-Day-2026';
  await sent(floor.admin.post('/api/oms-system/user/submit', { account: 'reader', password: first, name: '查阅', realName: '查阅员', roleId: [role.id] }));
  const reader = await product.signIn('reader', first);
  await sent(reader.post('/api/oms-system/user/update-password', { oldPassword: first, newPassword: password, newPassword1: password }));
  await openSignedIn(page, product, '/base/platform/index', 'reader', password);
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: '已归档' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: '回收站' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '归档', exact: true })).toHaveCount(0);
  await expect(page.locator('[data-row] [aria-haspopup=menu]')).toHaveCount(0);
});
