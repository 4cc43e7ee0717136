import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { formatDateTime, Session } from '#kernel';
import { deletedTenants, tenant, tenantPackage } from '#plugins/tenant/contract';
import TenantPage from '../../../../src/plugins/tenant/console/TenantPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const audit = { createUser: null, createDept: null, createTime: '2026-01-01 00:00:00', updateUser: null, updateTime: null, status: 1, isDeleted: 0 };
const acme = {
  id: '1',
  tenantId: '123456',
  tenantName: 'Acme',
  linkman: 'Li',
  contactNumber: null,
  address: null,
  packageId: null,
  accountNumber: -1,
  expireTime: null,
  domain: null,
  backgroundUrl: null,
  datasourceId: null,
  ...audit,
};
const pageOf = (...records: object[]) => ({ records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 });
const codes = ['tenant', 'tenant_add', 'tenant_edit', 'tenant_delete'];
const answers = {
  [tenant.list.path]: () => pageOf(acme),
  [tenant.select.path]: () => [],
  [tenantPackage.select.path]: () => [],
  [tenant.datasources.path]: () => [{ id: '7', name: 'Acme 业务库' }],
  [tenant.submit.path]: () => ({ ...acme, account: 'admin', password: 'abc2-def3-ghj4-kmn5' }),
  [deletedTenants.list.path]: () => pageOf({ ...acme, id: '9', tenantName: 'Gone', deletedAt: '2026-01-02 00:00:00', restorableUntil: '2026-02-01 00:00:00' }),
  [tenant.restore.path]: () => null,
  [tenant.remove.path]: () => null,
  [tenant.suspend.path]: () => null,
  [tenant.holdings.path]: () => [
    { title: ['用户', 'Users'], count: 3 },
    { title: ['已付付款单', 'Paid payouts'], count: 2, amount: 123_456 },
  ],
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the credentials of a new tenant’s administrator are shown once, until they are confirmed as stored', async () => {
  const page = await showPage(<TenantPage />, { answers, codes });
  expect(screen.getAllByText('不限制')).toHaveLength(2);
  await page.press(screen.getByRole('button', { name: '新增' }));
  await screen.findByRole('button', { name: '保存' });
  await page.settle();
  const form = within(document.querySelector('.crud-dialog') as HTMLElement);
  await page.press(screen.getByRole('button', { name: '保存' }));
  for (const words of ['请输入租户名称', '请输入联系人']) expect(form.getAllByText(words).length).toBeGreaterThan(0);
  await page.user.type(form.getByLabelText('租户名称'), 'Acme');
  await page.user.type(form.getByLabelText('联系人'), 'Li');
  expect(form.getByText(/在本系统的数据不会移到那里/)).toBeTruthy();
  await page.press(screen.getByRole('button', { name: '保存' }));
  const told = within(await screen.findByRole('dialog', { name: '租户已创建' }));
  for (const text of ['123456', 'admin', 'abc2-def3-ghj4-kmn5']) expect(told.getByText(text)).toBeTruthy();
  const letter = document.querySelector('pre')?.textContent ?? '';
  for (const text of ['租户编号：123456', '管理员账号：admin', '一次性密码：abc2-def3-ghj4-kmn5', location.origin, 'Tenant code: 123456', 'no expiry'])
    expect(letter).toContain(text);
  await page.press(told.getByRole('button', { name: '复制全文' }));
  expect(await navigator.clipboard.readText()).toBe(letter);
  await page.press(told.getByRole('button', { name: '我已保存' }));
  await page.settle();
  expect(screen.queryByText('abc2-def3-ghj4-kmn5')).toBeNull();
});

test('a deleted tenant is restored from beside the list, which then shows it', async () => {
  const page = await showPage(<TenantPage />, { answers, codes });
  await page.press(screen.getByRole('button', { name: '已删除租户' }));
  const drawer = within(await screen.findByRole('dialog', { name: '已删除租户' }));
  await page.settle();
  const asked = page.inputs(tenant.list).length;
  await page.press(await drawer.findByRole('button', { name: '恢复' }));
  await page.settle();
  expect(page.inputs(tenant.restore)).toEqual([{ ids: ['9'] }]);
  expect(page.inputs(tenant.list).length).toBeGreaterThan(asked);
});

test('deleting a tenant lists its data and requires typing its code', async () => {
  const page = await showPage(<TenantPage />, { answers, codes });
  await page.press(screen.getByRole('button', { name: '删除' }));
  const dialog = within(await screen.findByRole('dialog', { name: '确定删除租户「Acme」？' }));
  expect(await dialog.findByText('¥1,234.56')).toBeTruthy();
  expect(dialog.getByText('用户')).toBeTruthy();
  const confirm = dialog.getByRole('button', { name: '删除' });
  await page.user.type(dialog.getByLabelText('输入租户编号 123456 以确认'), '12345');
  expect(confirm).toHaveProperty('disabled', true);
  await page.user.type(dialog.getByLabelText('输入租户编号 123456 以确认'), '6');
  await page.press(confirm);
  await page.settle();
  expect(page.inputs(tenant.remove)).toEqual([{ ids: ['1'] }]);
  expect(screen.queryByRole('dialog', { name: '确定删除租户「Acme」？' })).toBeNull();
});

test('a suspended tenant is marked and resumed from its row, an expired one is marked, the platform’s own has neither action', async () => {
  const list = () =>
    pageOf(
      { ...acme, status: 2 },
      { ...acme, id: '2', tenantId: '222222', tenantName: 'Old', expireTime: '2020-01-01 00:00:00' },
      { ...acme, id: '3', tenantId: '000000', tenantName: 'Own' },
    );
  const page = await showPage(<TenantPage />, { answers: { ...answers, [tenant.list.path]: list, [tenant.resume.path]: () => null }, codes });
  expect(screen.getAllByText('已停用').length).toBeGreaterThan(0);
  expect(screen.getByText('已到期')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: '停用' })).toHaveLength(1);
  await page.press(screen.getByRole('button', { name: '恢复使用' }));
  await page.settle();
  expect(page.inputs(tenant.resume)).toEqual([{ ids: ['1'] }]);
});

test('a tenant has expired by the zone of the deployment, not by that of the device', async () => {
  const time_zone = 'Pacific/Kiritimati';
  const expired = { ...acme, expireTime: formatDateTime(Date.now() - 3_600_000, time_zone) };
  const services = [[Session, { user: { user_id: '1', tenant_id: '000000', time_zone } }]] as const;
  await showPage(<TenantPage />, { answers: { ...answers, [tenant.list.path]: () => pageOf(expired) }, codes, services });
  expect(await screen.findByText('已到期')).toBeTruthy();
});
