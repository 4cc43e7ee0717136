import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { collectErrors, openSignedIn } from '../journeys/console.ts';
import { Product } from '../journeys/product.ts';
import { openTaskFloor } from '../journeys/task-staff.ts';
import { LoyaltyPackage } from '../support/loyalty-package.ts';

test('a remote plugin joins a console that was built without it; another build of it is refused, and affects no other', async ({ browser }) => {
  test.setTimeout(180_000);
  const loyalty = new LoyaltyPackage();
  const built = loyalty.build();
  const { listing, requestedFiles, close } = await loyalty.host();
  const settings = join(loyalty.folder, 'console.json');
  writeFileSync(settings, JSON.stringify({ brand: { title: ['Acme 后台', 'Acme'] }, remotes: [{ ...listing, options: { monthlyGoal: 500 } }] }));
  const product = new Product({ CONSOLE_SETTINGS: settings, CONSOLE_DIR: join(built, 'console') }, ['scripts/serve.mjs', join(built, 'server/main.js')]);
  try {
    await product.start();
    const floor = await openTaskFloor(product);
    await floor.handIn(await floor.publish());
    const page = await browser.newPage();
    const errors = collectErrors(page);
    await openSignedIn(page, product, '/wel/index');
    await expect(page).toHaveTitle(/Acme/);
    const panel = page.locator('section', { has: page.getByRole('heading', { name: '本月积分' }) });
    await expect(panel).toContainText('目标 500');
    await openSignedIn(page, product, '/task/list/index');
    await expect(page.getByRole('columnheader', { name: '单份积分' })).toBeVisible();
    await page.getByRole('button', { name: '新增' }).first().click();
    await expect(page.getByRole('spinbutton', { name: '单份积分' })).toBeVisible();
    await openSignedIn(page, product, '/task/loyalty/index');
    await expect(page.getByRole('columnheader', { name: '积分', exact: true })).toBeVisible();
    expect(errors).toEqual([]);
    expect(new Set(requestedFiles)).toContain('manifest.json');
    await page.close();

    writeFileSync(settings, JSON.stringify({ remotes: [{ ...listing, integrity: `sha384-${'A'.repeat(64)}` }] }));
    await product.stop();
    await product.start();
    requestedFiles.length = 0;
    const other = await browser.newPage();
    await openSignedIn(other, product, '/task/list/index');
    await expect(other.getByRole('columnheader', { name: '任务标题' })).toBeVisible();
    await expect(other.getByRole('columnheader', { name: '单份积分' })).toHaveCount(0);
    expect(new Set(requestedFiles)).toEqual(new Set(['manifest.json']));
    await other.close();
  } finally {
    await product.discard();
    close();
    loyalty.discard();
  }
});
