import { expect, test } from '@rstest/core';
import { screen, waitFor, within } from '@testing-library/react';
import { CrudPage, definePlugin, page } from '#kernel';
import { answer, createPluginHarness, pageOf, pluginContract, rowOf } from '#kit/console';
import { transfers } from '#plugins/transfers/contract';
import { crud, entity } from '#shared/contract';
import { Id, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import type { TransferRow } from '#shared/transfer-schemas';
import transfersPlugin from '../../../../src/plugins/transfers/console/plugin.ts';

const Crate = entity('crate', { id: Id(), name: Text({ title: ['名称', 'Name'], search: true }), place: Text({ title: ['位置', 'Place'] }) });
const crate = crud('/api/test/crate', Crate);
const crateMenu = menu({ code: 'crate', title: ['箱子', 'Crates'], path: '/desk/crate', under: 'desk' });
const crates = definePlugin({
  id: 'crate',
  title: ['箱子', 'Crates'],
  pages: [page(crateMenu, async () => ({ default: () => <CrudPage crud={crate} /> }))],
});
const row: TransferRow = {
  id: '1',
  kind: 'export',
  title: '箱子',
  state: 'running',
  place: null,
  progress: 1,
  total: 2,
  good: 0,
  bad: 0,
  message: null,
  fileName: null,
  hasProblems: false,
  hasPasswords: false,
  createTime: '2026-11-24 09:00:00',
  endTime: null,
  expiresAt: null,
};
const answers = [
  answer(transfers.list, []),
  answer(crate.list, pageOf(rowOf(Crate, { id: '7', name: '红', place: '东' }), rowOf(Crate, { id: '8', name: '蓝', place: '西' }))),
  answer(crate.export, { ...row, state: 'queued' }),
];

pluginContract(transfersPlugin);

test('lists offer export and import to users who may, and the top bar the download centre, while the plugin runs', async () => {
  const harness = await createPluginHarness(transfersPlugin, { answers, dependencies: [crates], codes: ['crate_export', 'crate_import', 'crate_add'] });
  await harness.open(crateMenu);
  await screen.findByRole('button', { name: '导出' });
  await screen.findByRole('button', { name: '导入' });
  await screen.findByRole('button', { name: '下载中心' });
  await harness.disable();
  await waitFor(() => expect(screen.queryByRole('button', { name: /^(导出|导入|下载中心)$/ })).toBeNull());
  expect(screen.getByRole('button', { name: /新增/ })).toBeTruthy();
  await harness.enable();
  await screen.findByRole('button', { name: '导出' });
});

test('users without the codes see no buttons, and import needs the code to add rows as well', async () => {
  const harness = await createPluginHarness(transfersPlugin, { answers, dependencies: [crates], codes: ['crate_import'] });
  await harness.open(crateMenu);
  await screen.findByText('红');
  expect(screen.queryByRole('button', { name: /^(导出|导入)$/ })).toBeNull();
});

test('an export sends the query, the selection and the columns that the list has at that moment', async () => {
  const harness = await createPluginHarness(transfersPlugin, { answers, dependencies: [crates], codes: ['crate_export', 'crate_delete'] });
  await harness.open(crateMenu);
  const line = await screen.findByRole('row', { name: /蓝/ });
  await harness.user.click(within(line).getByRole('checkbox'));
  await harness.user.click(screen.getByRole('button', { name: '导出' }));
  const dialog = within(await screen.findByRole('dialog', { name: '导出数据' }));
  expect(dialog.getByText('已选 1 项')).toBeTruthy();
  await harness.user.click(dialog.getByRole('checkbox', { name: '位置' }));
  harness.answer(answer(transfers.list, [row]));
  await harness.user.click(dialog.getByRole('button', { name: '开始导出' }));
  await screen.findByRole('button', { name: '下载中心，1 项正在进行' });
  const [sent] = harness.inputs(crate.export);
  expect(sent).toMatchObject({ format: 'xlsx', query: {}, ids: ['8'], fields: expect.arrayContaining(['name']) });
  expect(sent?.fields).not.toContain('place');
});
