import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { actOn, chooseTool, collectErrors, openFilters, signInThroughPage } from './console.ts';
import { type Client, galleryProduct } from './product.ts';

const product = galleryProduct();
let client: Client;

test.beforeAll(async () => {
  await product.start();
  client = await product.signIn();
  for (let number = 1; number <= 12; number++) {
    const form = {
      name: `展品 ${String(number).padStart(2, '0')}`,
      kind: (number % 3) + 1,
      pieces: number,
      price: number * 12_345,
      story: `第 ${number} 件的来历`,
    };
    await client.post('/api/gallery/exhibit/submit', form);
  }
  const hall = (await client.post('/api/gallery/shelf/submit', { name: '一号厅', sort: 1 })).data;
  await client.post('/api/gallery/shelf/submit', { name: '北墙', sort: 1, parentId: hall.id });
});
test.afterAll(() => product.discard());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Returns the headings of data columns, without those for expanding and selecting rows. */
const headings = async (page: Page) =>
  (await page.locator('.crud-table thead th').allInnerTexts()).map((text) => text.trim()).filter((text) => text && text !== '选择本页全部' && text !== '查看');

async function openExhibits(page: Page): Promise<void> {
  await page.goto(`${product.address}/gallery/exhibit/index`);
  await expect(button(page, '新增')).toBeVisible();
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
}

test('table settings follow their user to another browser', async ({ page, browser }) => {
  test.setTimeout(120_000);
  const errors = collectErrors(page);
  await page.goto(product.address);
  await signInThroughPage(page);
  await openExhibits(page);

  await test.step('selected and typed filters look alike', async () => {
    await openFilters(page);
    const edge = (selector: string) =>
      page
        .locator(`.crud-search ${selector}`)
        .first()
        .evaluate((element) => getComputedStyle(element).borderTopColor);
    const edges = async () => {
      // The panel focuses its first field once it has loaded, and a focused field has an edge of its own.
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      return new Set([await edge('.arco-select-view'), await edge('.arco-input-inner-wrapper')]).size;
    };
    await expect.poll(edges).toBe(1);
    await page.keyboard.press('Escape');
  });

  await test.step('columns are moved by keyboard, hidden, pinned and made wider', async () => {
    await button(page, '表格设置').click();
    const panel = page.getByRole('dialog', { name: '表格设置' });
    await panel.getByRole('button', { name: '移动件数，用上下方向键' }).focus();
    await page.keyboard.press('ArrowUp');
    await panel.getByText('介绍', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => headings(page)).toEqual(expect.arrayContaining(['名称', '件数', '类别']));
    expect((await headings(page)).slice(0, 3)).toEqual(['名称', '件数', '类别']);
    const edge = page.locator('th', { hasText: '件数' }).locator('.crud-table__handle');
    const box = await edge.boundingBox();
    const kept = page.waitForResponse((response) => response.url().includes('/preference/submit'));
    await page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 84, (box?.y ?? 0) + 10, { steps: 4 });
    await page.mouse.up();
    await kept;
  });

  const widthOf = async (of: Page) => Math.round((await of.locator('th', { hasText: '件数' }).boundingBox())?.width ?? 0);
  const wide = await widthOf(page);

  await test.step('a second browser shows the same columns', async () => {
    const other = await inAnotherBrowser(browser.newContext());
    expect((await headings(other)).slice(0, 3)).toEqual(['名称', '件数', '类别']);
    expect(Math.abs((await widthOf(other)) - wide)).toBeLessThanOrEqual(2);
    await other.context().close();
  });

  await test.step('conditions are combined, shown, shared as a link and removed', async () => {
    const panel = await openFilters(page);
    await panel.getByRole('button', { name: '添加条件', exact: true }).click();
    await choose(page, panel.getByRole('combobox', { name: '字段' }), '件数');
    await choose(page, panel.getByRole('combobox', { name: '条件' }), '大于等于');
    await panel.getByRole('spinbutton', { name: '值' }).fill('11');
    await panel.getByRole('button', { name: '查询' }).click();
    await expect(page.locator('tr[data-row]')).toHaveCount(2);
    await expect(page.getByRole('list', { name: '生效的条件' })).toContainText('件数 大于等于 11');

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, '视图').click();
    await page.getByRole('textbox', { name: '视图名称' }).fill('大件');
    await button(page, '保存为视图').click();
    await expect(button(page, '大件')).toBeVisible();
    await button(page, '复制链接').click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Escape');
    await page
      .getByRole('list', { name: '生效的条件' })
      .getByRole('button', { name: /移除条件/ })
      .click();
    await expect(page.locator('tr[data-row]')).toHaveCount(12);

    await page.goto(link);
    await expect(page.locator('tr[data-row]')).toHaveCount(2);
    expect((await headings(page)).slice(0, 3)).toEqual(['名称', '件数', '类别']);
  });
  expect(errors).toEqual([]);
});

test('rows are edited by keyboard, several at once, and deleted ones are restored', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(product.address);
  await signInThroughPage(page);
  await openExhibits(page);
  const rows = page.locator('tr[data-row]');

  await test.step('keys move between rows, select and open; the page has its own keys', async () => {
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(rows.nth(1)).toBeFocused();
    await page.keyboard.press('End');
    await expect(rows.last()).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expect(page.getByText('已选 1 项')).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
    await page.keyboard.press('/');
    await expect(page.getByRole('textbox', { name: '名称' })).toBeFocused();
    await page.keyboard.type('n?');
    await expect(page.getByRole('dialog', { name: '筛选' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await page.getByRole('textbox', { name: '名称' }).fill('');
    await page.keyboard.press('Escape');
  });

  await test.step('fields without a column are shown below the row', async () => {
    await rows
      .first()
      .getByRole('button', { name: /展开.*的详情/ })
      .click();
    await expect(page.getByText('第 12 件的来历').first()).toBeVisible();
    await rows
      .first()
      .getByRole('button', { name: /收起.*的详情/ })
      .click();
  });

  await test.step('the selected rows get the same values', async () => {
    await rows.nth(1).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('已选 2 项')).toBeVisible();
    await button(page, '批量编辑').click();
    const dialog = page.getByRole('dialog', { name: '批量编辑 2 条' });
    await dialog.getByText('件数', { exact: true }).click();
    await dialog.getByRole('spinbutton').fill('77');
    await dialog.getByRole('button', { name: '应用' }).click();
    await expect(page.getByText('已修改 2 条')).toBeVisible();
    await expect(page.getByRole('cell', { name: '77', exact: true })).toHaveCount(2);
  });

  await test.step('a deletion is undone', async () => {
    const name = '展品 12';
    const row = page.getByRole('row', { name: new RegExp(name) });
    await actOn(row, '删除');
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await expect(row).toHaveCount(0);
    await button(page, '撤销').click();
    await expect(page.getByText('已撤销删除')).toBeVisible();
    await expect(row).toHaveCount(1);
  });

  await test.step('printing shows the sheet only', async () => {
    await page.evaluate(() => Object.assign(window, { print: () => {} }));
    await chooseTool(page, '打印');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { level: 1, name: '展品' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: '主导航' })).toBeHidden();
    await expect(page.locator('.print-sheet tbody tr')).toHaveCount(12);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(page.locator('.print-sheet')).toHaveCount(0);
  });

  await test.step('of ten thousand rows only visible ones are rendered', async () => {
    await page.goto(`${product.address}/gallery/visitor/index`);
    await expect(page.getByText('访客 1', { exact: true })).toBeVisible();
    expect(await rows.count()).toBeLessThan(150);
    await rows.first().focus();
    await page.keyboard.press('End');
    await expect(page.getByText('访客 10000', { exact: true })).toBeVisible();
    await page.locator('thead .crud-table__choose').click();
    await expect(page.getByText(/已选 10,?000 项/)).toBeVisible();
  });

  await test.step('a branch is loaded when it is expanded, and again after a failure', async () => {
    let fails = true;
    await page.route('**/shelf/lazy-list?*parentId=*', (route) => (fails && !route.request().url().includes('parentId=0') ? route.abort() : route.continue()));
    await page.goto(`${product.address}/gallery/shelf/index`);
    await button(page, '展开一号厅').click();
    await expect(button(page, '一号厅的下级加载失败，重试')).toBeVisible();
    fails = false;
    await button(page, '一号厅的下级加载失败，重试').click();
    await expect(page.getByText('北墙', { exact: true })).toBeVisible();
  });
});

async function inAnotherBrowser(opening: Promise<BrowserContext>): Promise<Page> {
  const other = await (await opening).newPage();
  await other.goto(product.address);
  await signInThroughPage(other);
  await openExhibits(other);
  return other;
}

async function choose(page: Page, select: ReturnType<Page['getByRole']>, option: string): Promise<void> {
  await select.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
