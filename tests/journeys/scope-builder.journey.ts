import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, sent, type TaskFloor } from './task-staff.ts';

const product = new Product();
let floor: TaskFloor;
let userId: string;

test.beforeAll(async () => {
  await product.start();
  floor = await openTaskFloor(product);
  const { admin } = floor;
  for (const name of ['晨麦', '蓝鲸', '远山']) {
    const advertiser = { name, contact_name: '李', contact_phone: '13800000003', credit_limit: 100_000_000 };
    const { data } = await sent(admin.post('/api/oms-system/base/addadvertiser', advertiser));
    await floor.handIn(await floor.publish({ title: `${name}的探店`, advertiserId: data.id }));
  }
  const { data: role } = await sent(admin.post('/api/oms-system/role/submit', { parentId: '0', roleName: '审核员', roleAlias: 'auditor', sort: 9 }));
  const { data: granted } = await sent(admin.get('/api/blade-system/menu/grant-tree'));
  const idsOf = (nodes: { id: string; title: string; children?: never[] }[], titles: string[]): string[] =>
    nodes.flatMap(({ id, title, children = [] }) => [...(titles.includes(title) ? [id] : []), ...idsOf(children, titles)]);
  const menuIds = idsOf(granted.menu, ['任务列表', '任务审核', '审核记录', '任务付款', '付款单', '资金流水']);
  await sent(admin.post('/api/oms-system/role/setrolemenus', { roleId: role.id, menuIds }));
  const account = { account: 'zhangsan', password: 'First-Day-2026', name: '张三', realName: '张三', roleId: role.id };
  userId = (await sent(admin.post('/api/oms-system/user/submit', account))).data.id;
});
test.afterAll(() => product.discard());

/** Counts the clicks of a user on the page. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 });
    document.addEventListener('pointerdown', () => Object.assign(window, { clicks: (window as unknown as { clicks: number }).clicks + 1 }), true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

const pick = (page: Page, name: string) => page.getByRole('option', { name, exact: true }).click();

async function buildAdvertisers(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole('combobox', { name: '任务审核、审核记录、任务付款 的范围' }).click();
  await pick(page, '自定义…');
  const builder = page.getByRole('dialog', { name: /^可见条件/ });
  await expect(builder.getByText('请补全条件')).toBeVisible();
  await expect(builder.getByRole('combobox', { name: '字段' })).toContainText('广告主');
  await builder.getByRole('combobox', { name: '值' }).click();
  for (const name of names) await pick(page, name);
  await page.keyboard.press('Escape');
}

test('an administrator limits a role to two advertisers by name, and sees how many rows a member would see', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/authority/role/index');
  const row = page.getByRole('row', { name: /审核员/ });
  await expect(row).toBeVisible();
  const clicks = await countClicks(page);
  await actOn(row, '数据范围');
  const panel = page.getByRole('dialog', { name: '数据范围：审核员' });
  await buildAdvertisers(page, ['晨麦', '蓝鲸']);
  const builder = page.getByRole('dialog', { name: /^可见条件/ });
  await expect(builder.getByText('可见 2 条，共 3 条')).toBeVisible();
  await expect(builder.getByText('广告主为 晨麦、蓝鲸')).toBeVisible();
  await expectNoViolations(page, 'the builder of conditions');
  await builder.getByText(/^同样用于其他数据/).click();
  await builder.getByRole('button', { name: '确定' }).click();
  await expect(panel.getByText('可见：广告主为 晨麦、蓝鲸')).toHaveCount(4);
  await expectNoViolations(page, 'the visible rows of a role');
  await panel.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('已保存，立即生效')).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(10);

  await page.getByRole('button', { name: '数据范围一览' }).click();
  await expect(page.getByRole('dialog', { name: '数据范围一览' }).getByText('广告主为 晨麦、蓝鲸')).toHaveCount(4);
  expect(errors).toEqual([]);
});

test('a person is limited without a copy of their role', async ({ page }) => {
  await openSignedIn(page, product, `/authority/role/index?person=${userId}`);
  const panel = page.getByRole('dialog', { name: '数据范围：张三' });
  await expect(panel.getByText('角色给予：广告主为 晨麦、蓝鲸').first()).toBeVisible();
  await buildAdvertisers(page, ['远山']);
  const builder = page.getByRole('dialog', { name: /^可见条件/ });
  await expect(builder.getByText('可见 1 条，共 3 条')).toBeVisible();
  await builder.getByRole('button', { name: '确定' }).click();
  await panel.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('已保存，立即生效')).toBeVisible();
  const { data } = await sent(floor.admin.get('/api/blade-system/scope-rule/of', { userId }));
  expect(data.rules).toMatchObject([{ entity: 'task_submission', type: 5, sentence: '广告主为 远山' }]);
});
