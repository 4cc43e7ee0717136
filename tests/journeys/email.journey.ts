import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { exim, type MailServer, openMailServer } from '../support/mail-server.ts';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';

const product = new Product({ EGRESS_ALLOW: '127.0.0.1,localhost' });
let mailServer: MailServer;

test.skip(!exim, 'Exim was not found. Install exim4-daemon-light.');
test.beforeAll(async () => {
  mailServer = await openMailServer();
  await product.start();
});
test.afterAll(async () => {
  await product.discard();
  await mailServer?.stop();
});

test('an administrator sets up e-mail, reads why a test fails, and receives it once the settings are right', async ({ page }) => {
  const errors = collectErrors(page);
  await openSignedIn(page, product, '/resource/email/index');
  await page.getByLabel('服务器地址').fill('localhost');
  await page.getByRole('spinbutton', { name: '端口' }).fill('1');
  await page.getByText('不加密', { exact: true }).click();
  await page.getByLabel('发件人名称').fill('灯塔');
  await page.getByLabel('发件人邮箱').fill('console@mail.test');
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('更新成功')).toBeVisible();

  const panel = page.getByRole('form', { name: '发送测试邮件' });
  await panel.getByLabel('收件邮箱').fill('boss@mail.test');
  await panel.getByRole('button', { name: '发送' }).click();
  await expect(panel.getByRole('status')).toContainText('发送失败：服务器拒绝连接');
  await expect(panel.getByRole('status')).toContainText('ECONNREFUSED');

  await page.getByRole('spinbutton', { name: '端口' }).fill(String(mailServer.port));
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('button', { name: '保存' })).toBeDisabled();
  await panel.getByRole('button', { name: '发送' }).click();
  await expect(panel.getByRole('status')).toContainText('已发送到 boss@mail.test');
  const [message] = await mailServer.received(1);
  expect(message?.headers.get('subject')).toEqual(['测试邮件']);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.goto(`${product.address}/resource/emailtemplate/index`);
  await page.getByRole('button', { name: /密码邮件/ }).click();
  await page.getByText('英文', { exact: true }).click();
  await expect(page.getByText('One-time password: Kp7-vT9-mX4q')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.goto(`${product.address}/resource/emailmessage/index`);
  await expect(page.getByRole('row', { name: /b\*\*\*@mail\.test/ })).toHaveCount(2);

  await page.goto(`${product.address}/info/index`);
  const channel = page.getByRole('checkbox', { name: '作业告警 · 邮件' });
  await channel.scrollIntoViewIfNeeded();
  await expect(channel).toBeChecked();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(errors).toEqual([]);
});
