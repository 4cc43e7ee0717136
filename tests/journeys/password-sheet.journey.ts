import { expect, test } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';

const product = new Product();

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

const newPassword = 'Morning-Lights-2026';

test('with an invitation link a new user sets a password, and the link is invalid afterwards', async ({ page, browser }) => {
  const errors = collectErrors(page);
  const admin = await product.signIn();
  const { data } = await admin.post('/api/oms-system/user/submit', { account: 'invited', realName: '周受邀', name: '周', userType: 1 });
  await openSignedIn(page, product, '/system/user/index');
  await page
    .getByRole('row', { name: /invited/ })
    .getByRole('checkbox')
    .check();
  await page.locator('.crud-toolbar').getByRole('button', { name: '重置密码', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '重置密码', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: '一次性密码' });
  await sheet.getByText('邀请链接', { exact: true }).first().click();
  const links = page.getByRole('dialog', { name: '邀请链接' });
  const link = (await links.getByText(/#invitation=/).textContent()) ?? '';
  expect(data.account).toBe('invited');
  await expectNoViolations(page, 'an invitation link to pass on');

  const inviteePage = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await inviteePage.goto(link);
  await expect(inviteePage.getByRole('heading', { name: '欢迎加入' })).toBeVisible();
  expect(inviteePage.url()).toBe(`${product.address}/login`);
  await expectNoViolations(inviteePage, 'an invitation');
  await inviteePage.getByRole('button', { name: '设置我的密码' }).click();
  await inviteePage.getByLabel('新密码', { exact: true }).fill(newPassword);
  await inviteePage.getByLabel('确认新密码', { exact: true }).fill(newPassword);
  await inviteePage.getByRole('button', { name: '保存新密码' }).click();
  await expect(inviteePage.getByRole('navigation', { name: '主导航' })).toBeVisible();

  const latePage = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await latePage.goto(link);
  await latePage.getByRole('button', { name: '设置我的密码' }).click();
  await expect(latePage.getByText('邀请链接已使用或已过期，请联系管理员重新发送。')).toBeVisible();
  expect(errors).toEqual([]);
});
