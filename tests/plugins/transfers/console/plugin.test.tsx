import { expect, test } from '@rstest/core';
import { act, screen, waitFor, within } from '@testing-library/react';
import { CrudPage, definePlugin, page, type ToastAction, type Translate } from '#kernel';
import { answer, createPluginHarness, pageOf, pluginContract, rowOf } from '#kit/console';
import { transfers } from '#plugins/transfers/contract';
import { crud, entity } from '#shared/contract';
import { Id, Nullable, Reference, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';
import { type LocalizedText, localize } from '#shared/text';
import type { TransferRow } from '#shared/transfer-schemas';
import { announceExport } from '../../../../src/plugins/transfers/console/announce-export.ts';
import transfersPlugin from '../../../../src/plugins/transfers/console/plugin.ts';
import { TransferCentre } from '../../../../src/plugins/transfers/console/transfer-centre.ts';

const Crate = entity('crate', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], search: true }),
  place: Text({ title: ['位置', 'Place'] }),
  crateId: Nullable(Reference({ title: ['所属箱子', 'Crate'], from: { call: { path: '/api/test/crate/list' }, paged: true } })),
});
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

test('an export that ends in the background is announced, done or failed', async () => {
  const harness = await createPluginHarness(transfersPlugin, { answers, dependencies: [crates], codes: ['crate_export'] });
  await harness.open(crateMenu);
  harness.answer(answer(transfers.list, [row, { ...row, id: '2', kind: 'import' }]));
  await harness.user.click(await screen.findByRole('button', { name: '导出' }));
  await harness.user.click(within(await screen.findByRole('dialog', { name: '导出数据' })).getByRole('button', { name: '开始导出' }));
  await screen.findByRole('button', { name: '下载中心，2 项正在进行' });
  expect(harness.toasts).toEqual(['info 数据较多，正在后台导出，完成后会通知您']);
  harness.answer(
    answer(transfers.list, [
      { ...row, state: 'done', progress: 2, fileName: '箱子_2026-11-24.xlsx' },
      { ...row, id: '2', kind: 'import', state: 'done' },
    ]),
  );
  await waitFor(() => expect(harness.toasts.slice(1)).toEqual(['success 「箱子」已导出 2 行']), { timeout: 5000 });
  harness.answer(answer(transfers.list, [{ ...row, id: '3' }]));
  await act(() => harness.get(TransferCentre).refresh());
  harness.answer(answer(transfers.list, [{ ...row, id: '3', state: 'failed', message: '任务执行失败，请稍后重试' }]));
  await waitFor(() => expect(harness.toasts.slice(2)).toEqual(['error 「箱子」导出失败：任务执行失败，请稍后重试']), { timeout: 5000 });
});

test('the announcement of an export offers its file in its format', () => {
  const offered: string[] = [];
  const offer = (text: string, action?: ToastAction) => {
    offered.push(`${text} · ${action?.title}`);
    action?.onClick();
  };
  const toasts = { success: offer, info: offer, warning: offer, error: offer };
  const centre = { download: async (id: string) => void offered.push(`download ${id}`), setOpen: () => void offered.push('open') };
  const showError = () => undefined;
  const t: Translate = (text, values) => localize(text as LocalizedText, 'en', values);
  announceExport({ ...row, title: 'Crates', state: 'done', progress: 2, fileName: 'Crates_2026-11-24.csv' }, { t, toasts, centre, showError });
  announceExport({ ...row, title: 'Crates', state: 'failed', message: 'No columns can be exported.' }, { t, toasts, centre, showError });
  announceExport({ ...row, state: 'cancelled' }, { t, toasts, centre, showError });
  expect(offered).toEqual([
    'Crates is ready. Rows exported: 2. · Download CSV',
    'download 1',
    'Crates could not be exported. No columns can be exported. · Open download center',
    'open',
  ]);
});

test('ids beside references are offered where the selected columns contain a reference, and off by default', async () => {
  const harness = await createPluginHarness(transfersPlugin, { answers, dependencies: [crates], codes: ['crate_export', 'stack_export'] });
  await harness.open(crateMenu);
  await harness.user.click(await screen.findByRole('button', { name: '导出' }));
  const dialog = within(await screen.findByRole('dialog', { name: '导出数据' }));
  const choice = dialog.getByRole('checkbox', { name: '同时导出编号' });
  expect(choice).toHaveProperty('checked', false);
  await harness.user.click(dialog.getByRole('checkbox', { name: '所属箱子' }));
  expect(dialog.queryByRole('checkbox', { name: '同时导出编号' })).toBeNull();
  await harness.user.click(dialog.getByRole('checkbox', { name: '所属箱子' }));
  await harness.user.click(dialog.getByRole('checkbox', { name: '同时导出编号' }));
  await harness.user.click(dialog.getByRole('button', { name: '开始导出' }));
  await waitFor(() => expect(harness.inputs(crate.export)[0]).toMatchObject({ withIds: true }));
});
