import { expect, type Page, test } from '@playwright/test';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor, type TaskFloor } from './task-floor.ts';

// Its queue is its own: what it ends with is an empty one.
const product = new Product();
let floor: TaskFloor;

test.beforeAll(async () => {
  await product.start();
  floor = await openTaskFloor(product);
});
test.afterAll(() => product.discard());

const bench = (page: Page) => page.locator('section[data-item]');
const shows = (page: Page, id: string) => expect(bench(page)).toHaveAttribute('data-item', id);

test('a task is published, claimed in the mini-app, and its proof audited from the keyboard', async ({ page }) => {
  const errors = collectErrors(page);
  const title = `招牌视频 ${Date.now()}`;
  const { data: task } = await floor.admin.post('/api/things-task/task/submit', {
    title,
    requirement: '视频里出现招牌',
    unitPrice: 500,
    quantity: 3,
    perUserLimit: 0,
    ...floor.parts,
  });

  await openSignedIn(page, product, '/task/list/index');
  const row = page.getByRole('row', { name: new RegExp(title) });
  await expect(row).toContainText('待发布');
  await row.getByRole('button', { name: '发布', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
  await expect(row).toContainText('已发布');

  const proofs: string[] = [];
  for (const content of ['第一条', '第二条', '第三条']) proofs.push(await floor.handIn(task.id, { pictures: 2, content }));
  const [first, second, third] = proofs as [string, string, string];

  await page.goto(`${product.address}/task/audit/index`);
  await shows(page, first);
  await expect(bench(page)).toContainText('视频里出现招牌');
  await expect(page.getByRole('img', { name: '截图 1/2' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('img', { name: '截图 2/2' })).toBeVisible();
  await page.keyboard.press('a');
  await shows(page, second);
  await page.keyboard.press('1');
  await shows(page, third);
  await page.keyboard.press('u');
  await shows(page, second);
  await page.keyboard.press('r');
  await expect(page.getByRole('textbox', { name: '驳回原因' })).toBeFocused();
  await page.keyboard.type('看不清招牌');
  await page.keyboard.press('Enter');
  await shows(page, third);
  await page.keyboard.press('a');
  await expect(page.getByText('队列已清空')).toBeVisible();

  await page.goto(`${product.address}/task/record/index`);
  await expect(page.getByRole('row', { name: /看不清招牌/ })).toContainText('驳回');
  await expect(page.getByRole('row', { name: new RegExp(`${title}.*通过`) })).toHaveCount(2);
  const { data } = await floor.admin.get('/api/things-task/task/detail', { id: task.id });
  expect(data).toMatchObject({ claimed: 2, submitted: 2, passed: 2, status: 2 });
  expect(errors).toEqual([]);
});
