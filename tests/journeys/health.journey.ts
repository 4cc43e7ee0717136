import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectNoViolationsInLightAndDark, followDevice } from './axe.ts';
import { collectErrors, countClicks, openSignedIn } from './console.ts';
import { Product } from './product.ts';

test('an administrator sees in one click whether the deployment is well, backs it up and sees the result', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-health-'));
  const product = new Product({ BACKUP_DIR: folder });
  try {
    await product.start();
    const errors = collectErrors(page);
    await followDevice(page);
    const clicks = await countClicks(page);
    await openSignedIn(page, product, '/monitor/log/usual/index');
    await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '运行状况' }).click();
    const summary = page.getByRole('region', { name: '运行状况' });
    await expect(summary.getByRole('status')).toHaveText(/^(一切正常|\d+ 项需要处理)$/);
    expect(clicks()).toBe(1);
    for (const section of ['服务器', '备份', '数据库', '队列', '磁盘与文件', '密钥', '证书'])
      await expect(page.getByRole('region', { name: section, exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: '服务器', exact: true })).toContainText('运行中');

    // The schedule of a new folder may have begun its first backup already.
    const runs = page.getByRole('list', { name: '最近的备份' }).getByRole('listitem');
    const button = page.getByRole('button', { name: '立即备份' });
    await expect(button).toBeEnabled({ timeout: 90_000 });
    await button.click();
    await expect(page.getByText('备份已开始')).toBeVisible();
    await expect(button).toBeDisabled();
    await expect(runs.first()).toContainText('手动');
    await expect(runs.first()).toContainText('成功', { timeout: 120_000 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.tar.gz')).length).toBeGreaterThan(0);
    await expect(summary.getByRole('status')).toHaveText('一切正常', { timeout: 30_000 });

    await expectNoViolationsInLightAndDark(page, 'health');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(summary).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(errors).toEqual([]);
  } finally {
    await product.discard();
    rmSync(folder, { recursive: true, force: true });
  }
});
