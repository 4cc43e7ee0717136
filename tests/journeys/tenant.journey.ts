import { expect, test } from '@playwright/test';
import { openSignedIn } from './console.ts';
import { type Client, type Product, sharedProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await sharedProduct();
});

const password = 'Morning-Lights-2026';

/** Returns the data of a reply; a refusal fails the journey with its message. */
async function given(answer: ReturnType<Client['post']>) {
  const { success, msg, data } = await answer;
  if (!success) throw new Error(msg);
  return data;
}

interface Branch {
  readonly id: string;
  readonly code: string;
  readonly children?: readonly Branch[];
}

const flat = (branches: readonly Branch[]): Branch[] => branches.flatMap((branch) => [branch, ...flat(branch.children ?? [])]);

/** Signs in with a one-time password, and changes it. */
async function firstSignIn(account: string, told: string, tenantId: string): Promise<Client> {
  const first = await product.signIn(account, told, tenantId);
  expect(await first.get('/api/blade-system/dept/select')).toMatchObject({ status: 403, msg: '请先修改初始密码' });
  await given(first.post('/api/oms-system/user/update-password', { oldPassword: told, newPassword: password, newPassword1: password }));
  return product.signIn(account, password, tenantId);
}

test('from a new tenant to one of its users: permissions apply to all as long as they are granted', async ({ page, browser }) => {
  const platform = await product.signIn();
  const menus = new Map(flat(await given(platform.get('/api/things-system/menu/list'))).map(({ id, code }) => [code, id]));
  const ids = (...codes: string[]) => codes.map((code) => menus.get(code));
  const people = ['user', 'user_add', 'user_edit', 'user_view', 'dept', 'dept_add', 'role', 'role_add', 'role_edit', 'role_grant', 'permission_explain'];
  const posts = ['post', 'post_add', 'post_edit', 'post_delete', 'post_view'];
  const unique = Date.now();
  const offer = await given(platform.post('/api/blade-system/tenant-package/submit', { packageName: `组织版${unique}`, menuId: ids(...people, ...posts) }));
  const scope = { menuId: menus.get('post'), scopeName: `本部门${unique}`, resourceCode: 'post_dept', scopeType: 3, scopeField: '*' };
  const { id: scopeId } = await given(platform.post('/api/blade-system/data-scope/submit', scope));
  const tenant = await given(platform.post('/api/blade-system/tenant/submit', { tenantName: `星光${unique}`, linkman: '王芳', packageId: offer.id }));

  const boss = await firstSignIn(tenant.account, tenant.password, tenant.tenantId);
  const [top] = await given(boss.get('/api/blade-system/dept/list'));
  const dept = await given(boss.post('/api/things-system/dept/submit', { parentId: top.id, deptName: '华东组', fullName: '华东组', sort: 1 }));
  const role = await given(boss.post('/api/oms-system/role/submit', { roleName: '岗位专员', roleAlias: 'clerk', sort: 2 }));
  const granted = ['post', 'post_add', 'post_edit', 'post_view'];
  await given(boss.post('/api/blade-system/role/grant', { roleIds: [role.id], menuIds: ids(...granted), dataScopeIds: [scopeId] }));
  const form = { account: 'clerk', realName: '李雷', name: '李雷', userType: 1, deptId: [dept.id], roleId: [role.id] };
  const user = await given(boss.post('/api/oms-system/user/submit', form));
  const clerk = await firstSignIn('clerk', user.oneTimePassword.password, tenant.tenantId);

  const addPost = (as: Client, postName: string, postCode: string) => as.post('/api/blade-system/post/submit', { category: '1', postCode, postName, sort: 1 });
  await given(addPost(boss, '总部的岗位', 'top'));
  await given(addPost(clerk, '本组的岗位', 'own'));
  expect(await clerk.get('/api/blade-system/dept/list')).toMatchObject({ status: 403 });

  await openSignedIn(page, product, '/system/post/index', 'clerk', password, tenant.tenantId);
  await expect(page.getByRole('row', { name: /本组的岗位/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /总部的岗位/ })).toHaveCount(0);
  const add = page.getByRole('button', { name: '新增', exact: true });
  await expect(add).toBeVisible();
  await expect(page.getByRole('button', { name: '删除', exact: true })).toHaveCount(0);

  await given(boss.post('/api/oms-system/role/setrolemenus', { roleId: role.id, menuIds: ids('post', 'post_edit', 'post_view') }));
  // A revoked permission takes effect in an open console within two seconds.
  await expect(add).toHaveCount(0, { timeout: 2000 });
  expect(await addPost(clerk, '再加一个', 'more')).toMatchObject({ status: 403 });
  await expect(page.getByRole('row', { name: /本组的岗位/ }).getByRole('button', { name: '编辑' })).toBeVisible();

  const office = await browser.newPage();
  await openSignedIn(office, product, `/authority/explain/index?userId=${user.id}&about=post_add`, tenant.account, password, tenant.tenantId);
  await expect(office.getByText('缺少权限码 post_add。')).toBeVisible();
  await expect(office.getByText('未授予角色「岗位专员」。')).toBeVisible();
  await office.close();
});
