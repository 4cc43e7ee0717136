import { expect, test } from '@playwright/test';
import { openSignedIn } from './console.ts';
import { Product } from './product.ts';
import { openTaskFloor } from './task-staff.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test('a reviewer goes from home to the queue and decides with the thumb, and each submission starts at its top', async ({ page }) => {
  const product = new Product();
  await product.start();
  try {
    const floor = await openTaskFloor(product);
    const task = await floor.publish();
    for (let made = 0; made < 3; made += 1) await floor.handIn(task);
    await openSignedIn(page, product, '/wel/index');
    await page.getByRole('link', { name: /^待审核 3/ }).tap();
    const workbench = page.locator('[data-item]');
    const approve = page.getByRole('button', { name: /^通过/ });
    const reject = page.getByRole('button', { name: '驳回', exact: true });
    await expect(approve).toBeInViewport({ ratio: 1 });
    await expect(reject).toBeInViewport({ ratio: 1 });
    expect((await approve.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);

    const first = await workbench.getAttribute('data-item');
    await page.getByRole('heading', { name: '任务要求' }).scrollIntoViewIfNeeded();
    await approve.tap();
    await expect(workbench).not.toHaveAttribute('data-item', first ?? '');
    await expect(page.getByRole('status').filter({ hasText: '待审核' })).toBeInViewport();

    const second = await workbench.getAttribute('data-item');
    await reject.tap();
    await page.getByRole('button', { name: /截图不清晰或不完整/ }).tap();
    await expect(workbench).not.toHaveAttribute('data-item', second ?? '');
    await expect(page.getByRole('button', { name: /截图不清晰或不完整/ })).toBeHidden();
  } finally {
    await product.discard();
  }
});
