import { expect, type Page, test } from '@playwright/test';
import { collectErrors, signInThroughPage } from './console.ts';
import { type Product, sharedProduct } from './product.ts';
import { idsOf, openDetails, tabOf } from './tabs.ts';

let product: Product;

test.beforeAll(async () => {
  product = await sharedProduct();
});

const add = (page: Page) => page.getByRole('button', { name: '新增', exact: true });
const nameField = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: '参数名称' });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

test('an operator arranges, closes, pins and restores tabs, by pointer and by keyboard', async ({ page }) => {
  const errors = collectErrors(page);
  await page.goto(product.address);
  await signInThroughPage(page);

  await test.step('the bar is hidden by default, and home cannot be closed', async () => {
    await expect(page.getByRole('tablist')).toHaveCount(0);
    await page.getByRole('button', { name: /^账户/ }).click();
    await page.getByRole('menuitemcheckbox', { name: '显示标签栏' }).click();
    await page.getByRole('tab', { name: '首页' }).focus();
    await page.keyboard.press('Delete');
    expect(await idsOf(page)).toEqual(['home']);
  });

  await test.step('the menu of a tab opens with the right button and Shift+F10, and closes the named tabs', async () => {
    await openDetails(page, 1, 2, 3, 4, 5);
    await tabOf(page, 4).click({ button: 'right' });
    await item(page, '关闭右侧').click();
    await expect.poll(() => idsOf(page)).toEqual(['home', '1', '2', '3', '4']);
    await expect(tabOf(page, 4)).toHaveAttribute('aria-selected', 'true');
    await tabOf(page, 2).focus();
    await page.keyboard.press('Shift+F10');
    await expect(item(page, '刷新当前')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(tabOf(page, 2)).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await item(page, '关闭左侧').click();
    await expect.poll(() => idsOf(page)).toEqual(['home', '2', '3', '4']);
  });

  await test.step('the middle button, Delete and Alt+W close; the focus stays in the bar', async () => {
    await openDetails(page, 5, 6, 7);
    await tabOf(page, 6).click({ button: 'middle' });
    await tabOf(page, 7).focus();
    await page.keyboard.press('Delete');
    await expect(tabOf(page, 5)).toBeFocused();
    await page.keyboard.press('Alt+w');
    await expect.poll(() => idsOf(page)).toEqual(['home', '2', '3', '4']);
    await page.keyboard.press('Alt+PageUp');
    await expect(tabOf(page, 3)).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('tabs are dragged, and moved by Alt+Shift and arrows; home and pinned ones stay in front', async () => {
    await drag(page, 4, 2);
    expect(await idsOf(page)).toEqual(['home', '4', '2', '3']);
    await tabOf(page, 4).focus();
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await expect(page.getByRole('status').filter({ hasText: '已移到第 3 个，共 4 个' })).toBeAttached();
    await expect(tabOf(page, 4)).toBeFocused();
    await tabOf(page, 3).click({ button: 'right' });
    await item(page, '固定').click();
    expect(await idsOf(page)).toEqual(['home', '3', '2', '4']);
    await drag(page, 4, 3);
    expect(await idsOf(page)).toEqual(['home', '3', '4', '2']);
  });

  await test.step('a reload restores the tabs in order, a new window only the pinned one', async () => {
    await page.reload();
    await expect(add(page)).toBeVisible();
    await expect.poll(() => idsOf(page)).toEqual(['home', '3', '4', '2']);
    const [other] = await Promise.all([page.context().waitForEvent('page'), openInWindow(page, 2)]);
    await expect(add(other)).toBeVisible();
    await expect.poll(() => idsOf(other)).toEqual(['home', '3', '2']);
    await other.close();
  });

  await test.step('many tabs scroll, and are listed in the menu of all tabs', async () => {
    await openDetails(page, ...Array.from({ length: 24 }, (_, number) => `n${number}`));
    // The tab is fully visible, but for a part of a pixel, also when the scroll buttons take their space.
    await expect(tabOf(page, 'n23')).toBeInViewport({ ratio: 0.99 });
    await expect(page.getByRole('tab', { name: '首页' })).not.toBeInViewport();
    await page.getByRole('button', { name: '全部已打开的页面（28）' }).click();
    await page.getByRole('combobox', { name: '查找已打开的页面' }).fill('id=n7');
    await page.keyboard.press('Enter');
    await expect(tabOf(page, 'n7')).toHaveAttribute('aria-selected', 'true');
    await expect(tabOf(page, 'n7')).toBeInViewport();
    // At most twenty pages are kept alive, including the pinned one.
    expect(await page.locator('[role=tabpanel]').count()).toBeLessThanOrEqual(20);
    await page.getByRole('tablist').hover();
    await page.mouse.wheel(0, -4000);
    await expect(page.getByRole('tab', { name: '首页' })).toBeInViewport();
  });

  await test.step('the page can fill the window until Escape', async () => {
    await tabOf(page, 'n7').click({ button: 'right' });
    await item(page, '内容全屏').click();
    await expect(page.getByRole('navigation', { name: '主导航' })).toHaveCount(0);
    await expect(page.getByRole('banner')).toHaveCount(0);
    await add(page).click();
    await expect(nameField(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: '主导航' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible();
    await expect(page.getByRole('tab', { name: '首页' })).toBeVisible();
  });

  await test.step('closing all keeps home and pinned tabs; clearing the cache keeps home only', async () => {
    await page.getByRole('button', { name: '标签操作' }).click();
    await item(page, '关闭全部').click();
    await expect.poll(() => idsOf(page)).toEqual(['home', '3']);
    await expect(page).toHaveURL(/\/wel\/index$/);
    await page.getByRole('button', { name: '标签操作' }).click();
    await item(page, '清除缓存').click();
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await expect(page.getByText('清除完毕')).toBeVisible();
    await expect(page.getByRole('tablist')).toHaveCount(0);
  });

  expect(errors).toEqual([]);
});

/** Drags one tab over another with the mouse. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const [start, end] = [await tabOf(page, from).boundingBox(), await tabOf(page, to).boundingBox()];
  if (!start || !end) throw new Error('a tab is out of sight');
  await page.mouse.move(start.x + 20, start.y + start.height / 2);
  await page.mouse.down();
  const target = start.x < end.x ? end.x + end.width - 4 : end.x + 4;
  await page.mouse.move(target, start.y + 10, { steps: 12 });
  await page.mouse.up();
}

async function openInWindow(page: Page, id: number): Promise<void> {
  await tabOf(page, id).click({ button: 'right' });
  await item(page, '在新窗口打开').click();
}
