import { expect, type Page, test } from '@playwright/test';
import { collectErrors } from './console.ts';
import { type Product, sharedProduct } from './product.ts';
import { detail, idsOf, openDetails, openWithTabs, paneOf, tabOf, visit } from './tabs.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

const add = (page: Page) => page.getByRole('button', { name: '新增', exact: true });
const nameField = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: '参数名称' });
const question = (page: Page) => page.getByRole('dialog').filter({ hasText: '放弃未保存的修改' });

async function answerQuestion(page: Page, choice: string): Promise<void> {
  await question(page).getByRole('button', { name: choice }).click();
  await expect(question(page)).toHaveCount(0);
}

/** Opens a tab, types into the form on its page and leaves it unsaved. */
async function typeUnsaved(page: Page, id: number, typed: string): Promise<void> {
  await openDetails(page, id);
  await add(page).click();
  await nameField(page).fill(typed);
  await expect(tabOf(page, id)).toContainText('有未保存的修改');
}

test('two detail pages of one route have separate forms, and refreshing one does not affect the other', async ({ page }) => {
  const errors = collectErrors(page);
  await openWithTabs(page, product);
  await typeUnsaved(page, 1, '第一个');
  await typeUnsaved(page, 2, '第二个');
  await visit(page, detail(1));
  await expect(nameField(page)).toHaveValue('第一个');
  await expect(page).toHaveURL(/mode=add/);
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await visit(page, detail(2));
  await expect(nameField(page)).toHaveValue('第二个');

  await page.keyboard.press('Alt+r');
  await expect(question(page)).toContainText('「系统参数」中有未保存的修改');
  await answerQuestion(page, '继续编辑');
  await expect(nameField(page)).toHaveValue('第二个');
  await page.keyboard.press('Alt+r');
  await answerQuestion(page, '放弃修改');
  await expect(nameField(page)).toHaveCount(0);
  await expect(tabOf(page, 2)).not.toContainText('有未保存的修改');
  await expect(tabOf(page, 1)).toContainText('有未保存的修改');
  await visit(page, detail(1));
  await expect(nameField(page)).toHaveValue('第一个');
  expect(errors).toEqual([]);
});

test('closing a tab asks about unsaved changes, and discards them once that is confirmed', async ({ page }) => {
  await openWithTabs(page, product);
  await typeUnsaved(page, 1, '写到一半');
  await page.keyboard.press('Alt+w');
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Alt+w');
  await answerQuestion(page, '继续编辑');
  await expect(nameField(page)).toHaveValue('写到一半');
  await page.keyboard.press('Alt+w');
  await answerQuestion(page, '放弃修改');
  await expect.poll(() => idsOf(page)).toEqual(['home']);
  await expect(paneOf(page, 1)).toHaveCount(0);

  await openDetails(page, 1);
  await expect(nameField(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: '继续填写' })).toHaveCount(0);
  await add(page).click();
  await expect(nameField(page)).toHaveValue('');
});

test('the browser asks before the window is reloaded or closed, and only with unsaved changes', async ({ page }) => {
  const dialogTypes: string[] = [];
  let mayLeave = false;
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type());
    void (mayLeave ? dialog.accept() : dialog.dismiss());
  });
  await openWithTabs(page, product);
  await page.reload();
  await typeUnsaved(page, 1, '还没保存');
  await openDetails(page, 2);
  expect(dialogTypes).toEqual([]);

  // `page.reload()` would wait for the navigation, which Chromium abandons when it is refused.
  await page.evaluate(() => location.reload());
  await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
  await visit(page, detail(1));
  await expect(nameField(page)).toHaveValue('还没保存');
  await expect
    .poll(() => page.evaluate(() => Object.entries(sessionStorage).some(([key, value]) => key.includes('draft:') && value.includes('还没保存'))))
    .toBe(true);

  mayLeave = true;
  await page.reload();
  expect(dialogTypes).toEqual(['beforeunload', 'beforeunload']);
  await page.getByRole('button', { name: '继续填写' }).click();
  await expect(nameField(page)).toHaveValue('还没保存');
  await visit(page, detail(2));
  await expect(add(page)).toBeVisible();
  await expect(page.getByRole('button', { name: '继续填写' })).toHaveCount(0);
});

test('closing a tab ends its page and its running requests, and no others', async ({ page }) => {
  await openWithTabs(page, product);
  await openDetails(page, 1);
  let isHeld = true;
  const released: (() => void)[] = [];
  await page.route('**/api/blade-system/param/list*', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => released.push(resolve));
    await route.continue().catch(() => undefined);
  });
  const failedRequests: string[] = [];
  page.on('requestfailed', (request) => failedRequests.push(`${new URL(request.url()).pathname} ${request.failure()?.errorText}`));

  for (const id of [2, 3]) {
    const [request] = await Promise.all([page.waitForRequest('**/api/blade-system/param/list*'), visit(page, detail(id))]);
    expect(request.method()).toBe('GET');
  }
  await expect(paneOf(page, 2)).toBeAttached();
  expect(failedRequests).toEqual([]);
  await tabOf(page, 2).click({ button: 'middle' });
  await expect(paneOf(page, 2)).toHaveCount(0);
  await expect.poll(() => failedRequests).toEqual(['/api/blade-system/param/list net::ERR_ABORTED']);

  isHeld = false;
  for (const release of released) release();
  await expect(page.getByRole('row', { name: /account\.failCount/ })).toBeVisible();
  expect(failedRequests).toHaveLength(1);
});

test('of many pages the least recently shown are unmounted, never one with unsaved changes', async ({ page }) => {
  await openWithTabs(page, product);
  await typeUnsaved(page, 1, '第一页写的');
  await openDetails(page, 'clean');
  await openDetails(page, ...Array.from({ length: 20 }, (_, number) => `n${number}`));
  await expect(paneOf(page, 'clean')).toHaveCount(0);
  await expect(paneOf(page, 'n19')).toBeVisible();
  // Pages that were never visible render when the browser is idle.
  await expect(page.locator('[role=tabpanel]')).toHaveCount(20);
  await visit(page, detail(1));
  await expect(nameField(page)).toHaveValue('第一页写的');
});
