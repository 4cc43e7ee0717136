import { expect, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { sharedProduct } from './product.ts';

test('a job is created with the schedule editor, run once with parameters, followed, paused and resumed', async ({ page }) => {
  const product = await sharedProduct();
  const client = await product.signIn();
  const jobAppName = `journey-${Date.now()}`;
  await client.post('/api/blade-job/job-server/submit', { jobServerName: '旅程', jobAppName });
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/job/jobinfo/index');
  await expect(page.getByRole('button', { name: '新增' }).first()).toBeVisible();
  await expectNoViolations(page, 'jobs');

  await page.getByRole('button', { name: '新增' }).first().click();
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.locator(`[data-field=${name}]`);
  // The width in the specification.
  await expect(dialog).toHaveCSS('width', '1200px');
  await expect(field('jobName').locator('label')).toHaveCSS('width', '180px');
  await field('jobName').getByRole('textbox').fill('旅程清理');
  await field('jobServerId').getByRole('combobox').click();
  await page.getByRole('option', { name: jobAppName }).click();
  await field('timeExpression').getByRole('combobox').click();
  await page.getByRole('option', { name: '每天' }).click();
  await expect(field('timeExpression')).toContainText('每天');
  await dialog.locator('summary', { hasText: '高级设置' }).click();
  const ends = field('lifecycle').getByRole('textbox');
  await ends.first().click();
  for (const [place, moment] of ['2026-01-01 08:00:00', '2199-12-31 23:59:59'].entries()) {
    await ends.nth(place).fill(moment);
    await ends.nth(place).press('Enter');
  }
  // The keys that accept suggestions have not submitted the form.
  await expect(field('processorInfo').locator('[aria-invalid=true]')).toHaveCount(0);
  await field('processorInfo').locator('input').fill('job:clean-runs');
  await field('jobParams').locator('[data-param=days] input').fill('3000');
  await expectNoViolations(page, 'form of a job');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('新增成功')).toBeVisible();

  const kept = (await client.get('/api/blade-job/job-info/list', { jobName: '旅程清理' })).data.records as { lifecycle: string }[];
  expect(kept[0]?.lifecycle).toBe('2026-01-01 08:00:00,2199-12-31 23:59:59');

  const row = page.getByRole('row', { name: /旅程清理/ });
  await actOn(row, '运行一次');
  await page.getByRole('textbox', { name: '实例参数' }).fill('此刻');
  await page.getByRole('button', { name: '运行', exact: true }).click();
  await expect(page.getByText('已开始运行')).toBeVisible();
  await actOn(row, '暂停');
  await expect(row.getByText('暂停', { exact: true }).first()).toBeVisible();
  await actOn(row, '恢复');
  await expect(page.getByText('已恢复')).toBeVisible();

  await page.goto(`${product.address}/job/jobinstance/index`);
  const run = page.getByRole('row', { name: /旅程清理/ });
  await expect(run).toBeVisible();
  await expectNoViolations(page, 'runs');
  await actOn(run, '日志');
  await expect(page.getByRole('list', { name: '运行日志' })).toContainText('0 runs deleted');
  await expect(page.getByText('运行已结束')).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText('成功');

  await page.goto(`${product.address}/job/jobhome/index`);
  await expect(page.getByRole('region', { name: '接下来触发' })).toContainText('旅程清理');
  await expect(page.getByRole('region', { name: '最慢的作业' })).toContainText('旅程清理');
  await expectNoViolations(page, 'overview of jobs');
  expect(errors).toEqual([]);
});
