import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { BatchAction, CrudScreen } from '#kernel';
import { param } from '#plugins/settings/contract';
import type { RefusedRow } from '#shared/contract';
import { type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';

const at = '/api/blade-system/param';
const everything = ['param', 'param_add', 'param_edit', 'param_delete', 'param_view'];
type Asked = { readonly current?: number; readonly size?: number; readonly ids?: string };
type Param = ReturnType<typeof row>;
const row = (number: number, remark: string | null = null) => ({
  id: String(number),
  paramName: `参数${number}`,
  paramKey: `key.${number}`,
  paramValue: `${number}`,
  remark,
  createTime: '2026-01-01 00:00:00',
});

/** Fakes a server whose list pages its rows and finds them by their ids. */
const serverWith = (rows: Param[], more: ScreenOptions['answers'] = {}): ScreenOptions['answers'] => ({
  [`${at}/list`]: ({ current = 1, size = 10, ids }: Asked) => {
    const found = ids === undefined ? rows : rows.filter(({ id }) => ids.split(',').includes(id));
    return { records: found.slice((current - 1) * size, current * size), total: found.length, totalExact: true, size, current, pages: 1 };
  },
  [`${at}/detail`]: ({ id }: { id?: string }) => rows.find((found) => found.id === id),
  ...more,
});

const rowsTo = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));
const select = (...names: string[]) => {
  for (const name of names) fireEvent.click(screen.getByRole('checkbox', { name: `选择${name}` }));
};
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const chosen = () => screen.queryByText(/已选/)?.textContent;

beforeEach(() => {
  cleanup();
  localStorage.clear();
});

test('a row that has left the list is no longer selected, on whichever page it was, and a notice counts it', async () => {
  const rows = rowsTo(12);
  const { user, settle } = await showCrud({ crud: param }, { answers: serverWith(rows), codes: everything });
  select('参数1', '参数2');
  await user.click(button('第 2 页'));
  await settle();
  select('参数11', '参数12');
  expect(chosen()).toBe('已选 4 项');
  rows.splice(11, 1);
  rows.splice(0, 1);
  await user.click(button('刷新'));
  await waitFor(() => expect(chosen()).toBe('已选 2 项2 项已变化或不在列表中'));
  await user.click(button('刷新'));
  await settle();
  expect(chosen()).toBe('已选 2 项2 项已变化或不在列表中');
  select('参数11');
  expect(chosen()).toBe('已选 1 项');
});

test('a row that no longer fits an action for which it was selected is dropped; another change is adopted', async () => {
  const rows = rowsTo(3);
  const ids: (readonly string[])[] = [];
  const toolbar = [
    { title: ['处理', 'Process'], when: ({ remark }: { remark: string | null }) => remark === null, onClick: (some: readonly string[]) => ids.push(some) },
  ] as const;
  const { user, settle } = await showCrud({ crud: param, actions: { toolbar } }, { answers: serverWith(rows), codes: everything });
  select('参数1', '参数2', '参数3');
  rows[0] = row(1, '已处理');
  rows[1] = { ...row(2), paramValue: '新值' };
  await user.click(button('刷新'));
  await settle();
  expect(chosen()).toBe('已选 2 项1 项已变化或不在列表中');
  await user.click(button('处理'));
  expect(ids).toEqual([['2', '3']]);
});

test('a list that takes no ids keeps its selection', async () => {
  const rows = rowsTo(12);
  const answers = {
    ...serverWith(rows),
    [`${at}/list`]: ({ current = 1, size = 10 }: Asked) => ({ records: rows.slice((current - 1) * size, current * size), total: 12, totalExact: true }),
  };
  const { user, settle } = await showCrud({ crud: param }, { answers, codes: everything });
  select('参数1');
  await user.click(button('第 2 页'));
  await settle();
  expect(chosen()).toBe('已选 1 项');
});

const refusals: RefusedRow[] = [
  { id: '2', title: '参数2', code: 409, message: '「参数2」已锁定' },
  { id: '3', title: '参数3', code: 409, message: '「参数3」已锁定' },
  { id: '9', title: null, code: 404, message: '数据不存在或已被删除' },
];

/** Shows a page with an action on rows that leaves out these rows at first, and then none. */
async function showAction(question?: BatchAction['question']) {
  const sent: (readonly string[])[] = [];
  const process: BatchAction = {
    title: ['处理', 'Process'],
    ...(question ? { question } : {}),
    done: ['已处理 {count} 项', 'Processed: {count}'],
    send: async (ids) => {
      sent.push(ids);
      return sent.length === 1 ? { done: 1, total: 4, rows: refusals } : { done: ids.length, total: ids.length, rows: [] };
    },
  };
  const toolbar = [
    { title: process.title, when: () => true, onClick: (ids: readonly string[], { batch }: Pick<CrudScreen, 'batch'>) => void batch(ids, process) },
  ];
  const page = await showCrud({ crud: param, actions: { toolbar } }, { answers: serverWith(rowsTo(4)), codes: everything });
  return { ...page, sent };
}

const report = () => screen.findByRole('dialog', { name: '已完成 1 / 4，3 项未处理' }, { timeout: 20_000 });

test('a batch that is done in part is reported by reason until the report is closed, with a link to each record', async () => {
  const { user, settle, messages } = await showAction();
  select('参数1', '参数2', '参数3', '参数4');
  await user.click(button('处理'));
  const dialog = within(await report());
  expect(
    within(dialog.getByRole('list', { name: '「…」已锁定' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['参数2', '参数3']);
  const gone = within(dialog.getByRole('list', { name: '数据不存在或已被删除' }));
  expect([gone.getByRole('listitem').textContent, gone.queryByRole('button')]).toEqual(['9', null]);
  expect(messages).toEqual([]);
  await user.click(dialog.getByRole('button', { name: '参数3' }));
  await settle();
  expect(within(screen.getByRole('dialog', { name: '查看「参数3」' })).getByText('key.3')).toBeTruthy();
});

test('the rows that were left out can be tried again or selected', async () => {
  const first = await showAction({ one: ['处理「{name}」？', 'Process “{name}”?'], many: ['处理 {count} 项？', 'Process {count}?'] });
  select('参数1', '参数2', '参数3', '参数4');
  await first.user.click(button('处理'));
  await first.user.click(within(await report()).getByRole('button', { name: '重试这 3 项' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(first.sent).toEqual([
    ['1', '2', '3', '4'],
    ['2', '3', '9'],
  ]);
  expect(first.messages).toEqual(['asked: 处理 4 项？', 'asked: 处理 3 项？', 'success: 已处理 3 项']);
  select('参数1');
  await first.user.click(button('处理'));
  await waitFor(() => expect(first.messages.at(-1)).toBe('success: 已处理 1 项'));
  expect(first.messages.at(-2)).toBe('asked: 处理「参数1」？');
  cleanup();

  const second = await showAction();
  select('参数1', '参数2', '参数3', '参数4');
  await second.user.click(button('处理'));
  await second.user.click(within(await report()).getByRole('button', { name: '选中这 3 项' }));
  await waitFor(() => expect(chosen()).toBe('已选 2 项1 项已变化或不在列表中'));
});

test('a deletion removes what it can, and undoing restores only that', async () => {
  const rows = rowsTo(4);
  const remove = () => {
    rows.splice(0, 1);
    return { done: 1, total: 2, rows: [refusals[0]] };
  };
  const { user, settle, messages, http } = await showCrud(
    { crud: param },
    { answers: serverWith(rows, { [`${at}/remove`]: remove, [`${at}/restore`]: () => null }), codes: everything },
  );
  select('参数1', '参数2');
  await user.click(button('批量删除'));
  await settle();
  expect(await screen.findByRole('dialog', { name: '已完成 1 / 2，1 项未处理' })).toBeTruthy();
  expect(messages).toContain('success: 删除成功');
  expect(chosen()).toBe('已选 1 项');
  expect(http.to('/remove').map(({ input }) => input)).toEqual([{ ids: ['1', '2'], partial: true }]);
});
