import { expect, test } from '@playwright/test';
import { actOn, collectErrors, openSignedIn } from './console.ts';
import { Product } from './product.ts';

const product = new Product({ CAPTCHA_MODE: 'off' });

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

async function register(username: string, name: string): Promise<void> {
  const reply = await fetch(`${product.address}/api/things-auth/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sryx:')}` },
    body: new URLSearchParams({ grant_type: 'register', tenantId: '000000', username, name, password: 'Morning-Lights-2027' }),
  });
  expect(reply.status, await reply.clone().text()).toBe(200);
}

test('an administrator approves one applicant with a role and refuses another', async ({ page }) => {
  const errors = collectErrors(page);
  const admin = await product.signIn();
  await admin.post('/api/blade-system/param/submit', { paramName: '开放注册', paramKey: 'account.registerUser', paramValue: 'true' });
  await register('newcomer', '新人');
  await register('stranger', '陌生人');

  await openSignedIn(page, product, '/authority/registration/index');
  const row = (account: string) => page.getByRole('row').filter({ hasText: account });
  await expect(row('newcomer')).toContainText('待审核');
  await expect(row('stranger')).toContainText('待审核');

  await test.step('approving asks for roles and departments', async () => {
    await actOn(row('newcomer'), '通过');
    const dialog = page.getByRole('dialog', { name: '通过注册申请' });
    const roles = dialog.getByRole('combobox', { name: '角色' });
    await expect(dialog.getByRole('combobox', { name: '部门' })).toBeVisible();
    await roles.click();
    await page.getByRole('option', { name: '超级管理员' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: '通过', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(row('newcomer')).toContainText('已通过');
    expect((await product.grant('newcomer', 'Morning-Lights-2027')).role_name).toBe('administrator');
  });

  await test.step('refusing asks for a reason, which the applicant sees at the next sign-in', async () => {
    await actOn(row('stranger'), '拒绝');
    const dialog = page.getByRole('dialog', { name: '拒绝注册申请' });
    await dialog.getByRole('textbox', { name: '拒绝原因' }).fill('请用公司邮箱申请');
    await dialog.getByRole('button', { name: '拒绝', exact: true }).click();
    await expect(row('stranger')).toContainText('已拒绝');
    await expect(product.grant('stranger', 'Morning-Lights-2027')).rejects.toThrow('注册申请未通过：请用公司邮箱申请');
  });

  expect(errors).toEqual([]);
});
