import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { RowsChanged } from '#kernel';
import { coupon, couponStates } from '../../../support/coupon-calls.ts';
import { type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const rows = [
  { id: '1', name: '草', state: couponStates.draft },
  { id: '2', name: '效', state: couponStates.active },
  { id: '3', name: '停', state: couponStates.ended },
];
const codes = ['coupon', 'coupon_edit', 'coupon_activate', 'coupon_end'];

async function show(options: Partial<ScreenOptions> = {}) {
  const sent: unknown[] = [];
  const record = (path: string) => (input: unknown) => {
    sent.push([path, input]);
    return null;
  };
  const { activate, end } = coupon.transitions;
  const shown = await showCrud(
    { crud: coupon },
    {
      answers: {
        [coupon.list.path]: () => ({ records: rows, total: rows.length, totalExact: true }),
        [coupon.detail.path]: ({ id }) => rows.find((row) => row.id === id),
        [activate.path]: record('activate'),
        [end.path]: record('end'),
      },
      codes,
      ...options,
    },
  );
  return { ...shown, sent };
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);
const namesIn = async (name: string) =>
  (await rowOf(name))
    .queryAllByRole('button')
    .map((button) => button.textContent)
    .filter((text) => text !== '' && text !== name);

test('a row offers the transitions of its state and is edited only while its entity allows it', async () => {
  await show();
  expect(await namesIn('草')).toEqual(['编辑', '启用', '停用']);
  expect(await namesIn('效')).toEqual(['停用']);
  expect(await namesIn('停')).toEqual([]);
});

test('a user without the code of a transition has no button for it', async () => {
  await show({ codes: codes.filter((code) => code !== 'coupon_end') });
  expect(await namesIn('效')).toEqual([]);
});

test('a transition without fields is sent at once, and the message names the new state', async () => {
  const { press, sent, messages, bus } = await show();
  const changed: string[] = [];
  bus.on(RowsChanged, ({ entity }) => void changed.push(entity));
  await press(screen.getByRole('button', { name: '启用' }));
  await waitFor(() => expect(sent).toEqual([['activate', { ids: ['1'] }]]));
  await waitFor(() => expect(changed).toEqual(['coupon']));
  expect(messages.join()).toContain('状态已改为“有效”');
});

test('a transition with fields asks for them with its question, and requires them', async () => {
  const { press, user, sent } = await show();
  await press((await rowOf('效')).getByRole('button', { name: '停用' }));
  const dialog = within(await screen.findByRole('dialog', { name: '停用「效」' }));
  expect(dialog.getByText('「效」停用后不能恢复')).toBeTruthy();
  await press(dialog.getByRole('button', { name: '停用' }));
  expect(await dialog.findByText('请输入停用原因')).toBeTruthy();
  await user.type(dialog.getByRole('textbox'), '过期');
  await press(dialog.getByRole('button', { name: '停用' }));
  await waitFor(() => expect(sent).toEqual([['end', { ids: ['2'], reason: '过期' }]]));
});

const select = async (press: (element: HTMLElement) => Promise<void>, ...names: readonly string[]) => {
  for (const name of names) await press((await rowOf(name)).getByRole('checkbox'));
};
const ofToolbar = () => within(document.querySelector('.crud-toolbar') as HTMLElement);

test('the toolbar offers the transitions while rows are selected, and leaves out rows in other states', async () => {
  const { press, sent, messages } = await show();
  expect(ofToolbar().queryByRole('button', { name: '启用' })).toBeNull();
  await select(press, '草', '效');
  await press(await ofToolbar().findByRole('button', { name: '启用' }));
  await waitFor(() => expect(sent).toEqual([['activate', { ids: ['1'] }]]));
  expect(messages.join()).toContain('1 条无法执行「启用」');
});

test('a transition of several rows asks once for their fields', async () => {
  const { press, user, sent } = await show();
  await select(press, '草', '效');
  await press(await ofToolbar().findByRole('button', { name: '停用' }));
  const dialog = within(await screen.findByRole('dialog', { name: '停用' }));
  expect(dialog.getByText('对选中的 2 项执行「停用」？')).toBeTruthy();
  await user.type(dialog.getByRole('textbox'), '过期');
  await press(dialog.getByRole('button', { name: '停用' }));
  await waitFor(() => expect(sent).toEqual([['end', { ids: ['1', '2'], reason: '过期' }]]));
});

test('the main action of a row stands before the others', async () => {
  await showCrud(
    {
      crud: coupon,
      actions: { row: [{ title: ['发放', 'Issue'], isPrimary: true, onClick: () => undefined }] },
    },
    { answers: { [coupon.list.path]: () => ({ records: rows.slice(0, 1), total: 1, totalExact: true }) }, codes },
  );
  expect(await namesIn('草')).toEqual(['发放', '编辑', '启用', '停用']);
});

test('a row is busy while its action takes longer than a moment', async () => {
  let end = () => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { press } = await showCrud(
    { crud: coupon, actions: { row: [{ title: ['检测', 'Test'], onClick: () => work }] } },
    { answers: { [coupon.list.path]: () => ({ records: rows, total: rows.length, totalExact: true }) }, codes: ['coupon'] },
  );
  const busyRows = () => [...document.querySelectorAll<HTMLElement>('tr[aria-busy=true]')].map(({ dataset }) => dataset.row);
  await press((await rowOf('效')).getByRole('button', { name: '检测' }));
  await waitFor(() => expect(busyRows()).toEqual(['2']));
  end();
  await waitFor(() => expect(busyRows()).toEqual([]));
});
