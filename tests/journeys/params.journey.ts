import { expect, test } from '@playwright/test';
import { actOn, collectErrors, signInThroughPage, watchHeadings } from './console.ts';
import { adminPassword, Product } from './product.ts';

const product = new Product();

test.beforeAll(() => product.start());
test.afterAll(() => product.discard());

test('an operator signs in, administers system parameters, and finds them again after a restart', async ({ page }) => {
  const errors = collectErrors(page);
  const headings = await watchHeadings(page);

  await test.step('the sign-in page shows errors and keeps the input', async () => {
    await page.goto(product.address);
    await expect(page).toHaveURL(/\/login/);
    await expect(page).toHaveTitle('登录');
    await page.getByRole('textbox', { name: '用户名' }).fill('admin');
    await page.getByLabel('密码', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: '改用图片验证码' }).click();
    await expect(page.getByRole('img', { name: '验证码图片' })).toBeVisible();
    await page.getByRole('textbox', { name: '验证码' }).fill('wrong');
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: '验证码不正确' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: '用户名' })).toHaveValue('admin');
    await page.getByRole('button', { name: '看不清图片？改用自动验证' }).click();
    errors.length = 0;
  });

  await test.step('the menu comes from the server and opens the page', async () => {
    await signInThroughPage(page);
    await expect(page).toHaveURL(/\/wel\/index$/);
    const navigation = page.getByRole('navigation', { name: '主导航' });
    await navigation.getByText('系统管理').click();
    await navigation.getByText('系统参数').click();
    await expect(page).toHaveURL(/\/system\/param\/index$/);
    await expect(page).toHaveTitle(/^系统参数 - /);
    await expect(page.getByRole('button', { name: '新增' })).toBeVisible();
  });

  await test.step('a deep link and a reload never flash an error page', async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: '新增' })).toBeVisible();
    await page.goto(`${product.address}/system/param`);
    await expect(page).toHaveURL(/\/system\/param\/index$/);
    await expect(page.getByRole('button', { name: '新增' })).toBeVisible();
    expect((await headings()).filter((heading) => /没有访问权限|页面不存在|系统出了点问题|功能未安装/.test(heading))).toEqual([]);
  });

  await test.step('a form reports a missing value as soon as a field is left', async () => {
    await page.getByRole('button', { name: '新增' }).click();
    const dialog = page.getByRole('dialog');
    // The form takes the focus when it has opened, so earlier typing would lose it.
    await expect(dialog.locator(':focus')).toHaveCount(1);
    for (const [field, message] of [
      ['参数名称', '请输入参数名称'],
      ['参数键名', '请输入参数键名'],
      ['参数键值', '请输入参数键值'],
    ] as const) {
      // A click waits for the control to appear; a focus does not.
      await dialog.getByLabel(field, { exact: true }).click();
      await dialog.getByLabel(field, { exact: true }).blur();
      await expect(dialog.getByText(message)).toBeVisible();
    }
    await dialog.getByRole('textbox', { name: '参数名称' }).fill('审核超时');
    await dialog.getByLabel('参数键名', { exact: true }).fill('audit.timeout');
    await dialog.getByRole('textbox', { name: '参数键值' }).fill('48');
    await dialog.getByRole('button', { name: '保存' }).click();
    await expect(page.getByText('新增成功')).toBeVisible();
    await expect(page.getByRole('row', { name: /审核超时/ })).toBeVisible();
  });

  await test.step('a refused save keeps the form open and usable', async () => {
    await page.getByRole('button', { name: '新增' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '参数名称' }).fill('重复');
    await dialog.getByLabel('参数键名', { exact: true }).fill('audit.timeout');
    await dialog.getByRole('textbox', { name: '参数键值' }).fill('1');
    await dialog.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('dialog').getByText('参数键名「audit.timeout」已被「审核超时」使用')).toBeVisible();
    await dialog.getByLabel('参数键名', { exact: true }).fill('audit.timeout.second');
    await dialog.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('row', { name: /audit\.timeout\.second/ })).toBeVisible();
    errors.length = 0;
  });

  await test.step('editing changes the row', async () => {
    await actOn(page.getByRole('row', { name: /audit\.timeout\.second/ }), '编辑');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '参数名称' }).fill('第二次超时');
    await dialog.getByRole('button', { name: '保存' }).click();
    await expect(page.getByText('更新成功')).toBeVisible();
    await expect(page.getByRole('row', { name: /第二次超时/ })).toBeVisible();
  });

  await test.step('search, pages and sorting ask the server', async () => {
    const client = await product.signIn();
    for (let number = 0; number < 25; number += 1) {
      await client.post('/api/blade-system/param/submit', {
        paramName: `批量${String(number).padStart(2, '0')}`,
        paramKey: `batch.${number}`,
        paramValue: String(number),
      });
    }
    await page.getByRole('textbox', { name: '参数名称' }).fill('批量');
    await page.getByRole('button', { name: '查询' }).click();
    await expect(page.getByRole('status').filter({ hasText: '共 25 条' })).toBeVisible();
    await page.getByRole('columnheader', { name: '参数名称' }).getByRole('button').click();
    await expect(page.getByRole('row').nth(1)).toContainText('批量00');
    await page.getByRole('combobox', { name: '每页条数' }).selectOption('10');
    await expect(page.getByRole('row')).toHaveCount(11);
    await page.getByRole('navigation', { name: '分页' }).getByText('3', { exact: true }).click();
    await expect(page.getByRole('row', { name: /批量24/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /批量00/ })).toHaveCount(0);
  });

  await test.step('a batch is deleted after a confirmation, and only with a selection', async () => {
    await page.getByRole('button', { name: '批量删除' }).click();
    await expect(page.getByText('请选择至少一条数据')).toBeVisible();
    await page.getByRole('checkbox', { name: '选择本页全部' }).press('Space');
    await page.getByRole('button', { name: '批量删除' }).click();
    await expect(page.getByText('确定将选择数据删除?')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await expect(page.getByText('删除成功')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: '共 20 条' })).toBeVisible();
  });

  await test.step('the data survives a restart of the server, and so does the session', async () => {
    await product.stop();
    await product.start();
    await page.goto(`${product.address}/system/param/index`);
    await expect(page).toHaveURL(/\/system\/param\/index$/);
    await page.getByRole('textbox', { name: '参数键名' }).fill('audit.timeout');
    await page.getByRole('button', { name: '查询' }).click();
    await expect(page.getByRole('row', { name: /第二次超时/ })).toBeVisible();
  });

  await test.step('signing out asks first and ends at the sign-in page', async () => {
    await page.getByRole('button', { name: /^账户/ }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await expect(page).toHaveURL(/\/login/);
    await page.goto(`${product.address}/system/param/index`);
    await expect(page).toHaveURL(/\/login/);
  });

  // The console polled the server while it was away and while it was starting.
  expect(errors.filter((error) => !/ERR_CONNECTION_(REFUSED|RESET)|503 \(Service Unavailable\)/.test(error))).toEqual([]);
});

test('the first administrator signs in with the given password, and English is one click away', async ({ page }) => {
  await page.goto(product.address);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: 'Account' }).fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(adminPassword);
});
