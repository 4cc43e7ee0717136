import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import * as Type from 'typebox';
import { crud, entity, get, NoInput } from '#shared/contract';
import { Id, Integer, Nullable, Parent, Select, Text } from '#shared/fields';
import { type ScreenOptions, showCrud } from '../../../support/crud-screen.tsx';

const Area = entity('area', {
  id: Id(),
  areaName: Text({ title: ['名称', 'Name'], search: true }),
  parentId: Parent({ title: ['上级', 'Parent'], list: false }),
  rank: Integer({ title: ['排序', 'Rank'], minimum: 0, maximum: 99, default: 7 }),
  isClosed: Select({
    title: ['关闭', 'Closed'],
    default: 0,
    options: [
      [0, ['否', 'No']],
      [1, ['是', 'Yes']],
    ],
  }),
  remark: Nullable(Text({ title: ['备注', 'Remark'] })),
});
const who = 'signedIn' as const;
const areas = {
  ...crud('/area', Area),
  list: get('/area/children', { title: ['下级', 'Children'], access: who, input: Type.Object({ parentId: Id() }), reply: Type.Array(Area.row) }),
};
const tree = get('/area/tree', { title: ['树', 'Tree'], access: who, input: NoInput, reply: Type.Array(Area.row) });

const node = (id: string, children?: object[]) => ({
  id,
  areaName: `区${id}`,
  parentId: '1',
  rank: 1,
  isClosed: 0,
  remark: null,
  createTime: '',
  ...(children ? { children } : {}),
});
const answers: ScreenOptions['answers'] = {
  '/area/children': () => [node('2', [node('21')]), node('3')],
  '/area/tree': () => [{ title: '区1', value: '1', children: [{ title: '区2', value: '2', children: [{ title: '区21', value: '21' }] }] }],
  '/area/detail': ({ id }) => ({ ...node(String(id)), rank: null, isClosed: null }),
  '/area/submit': (input) => input,
};
const codes = ['area', 'area_add', 'area_edit', 'area_delete', 'area_view'];
const dialog = () => within(screen.getByRole('dialog'));

beforeEach(() => {
  cleanup();
  localStorage.clear();
});

test('a list that returns an array is shown completely as a tree, without pages, filters or sorts', async () => {
  const { http, user } = await showCrud({ crud: areas, filter: { parentId: '1' } }, { answers, codes });
  expect(http.to('/children').map(({ input }) => input)).toEqual([{ parentId: '1' }]);
  expect(screen.queryByText('区21')).toBeNull();
  await user.click(screen.getByRole('button', { name: '展开区2' }));
  expect(screen.getByText('区21')).toBeTruthy();
  expect(screen.getAllByText('共 3 条')).toHaveLength(2);
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByRole('button', { name: '查询' })).toBeNull();
});

test('a fixed parameter fills the field of its name, which is hidden', async () => {
  const shown = await showCrud({ crud: areas, filter: { parentId: '1' } }, { answers, codes });
  await shown.user.click(screen.getByRole('button', { name: '新增' }));
  await screen.findByRole('dialog');
  expect(dialog().queryByText('上级')).toBeNull();
  await shown.user.type(dialog().getByLabelText('名称'), '新区{Enter}');
  await shown.settle();
  expect(shown.http.to('/submit').map(({ input }) => input)).toEqual([{ areaName: '新区', parentId: '1', rank: 7, isClosed: 0, remark: null }]);
});

test('a parent is selected from the tree of a call, and never below the row itself', async () => {
  const { user, http, settle } = await showCrud({ crud: areas, filter: { parentId: '1' }, parents: { parentId: { call: tree } } }, { answers, codes });
  await user.click(screen.getAllByRole('button', { name: '编辑' })[0] as HTMLElement);
  await screen.findByRole('dialog');
  await settle();
  await user.click(await dialog().findByRole('combobox', { name: '上级' }));
  await settle();
  expect(dialog().getByText('区21', { selector: '.arco-tree-node-disabled *' })).toBeTruthy();
  await user.click(dialog().getByText('顶级'));
  await user.click(dialog().getByRole('button', { name: '保存' }));
  await settle();
  expect(http.to('/submit').map(({ input }) => input)).toEqual([{ id: '2', areaName: '区2', parentId: '0', rank: 7, isClosed: 0, remark: null }]);
});

test('choices are shown by their titles, and row actions require their code', async () => {
  const pressed: string[] = [];
  const row = [
    { title: ['字典', 'Entries'], code: 'area_entries', onClick: ({ id }: { id: string }) => void pressed.push(id) },
    { title: ['禁用', 'Disable'], code: 'area_disable', onClick: () => {} },
  ] as const;
  const columns = { areaName: { render: ({ areaName }: { areaName: string }) => <b>{areaName}!</b> }, rank: { hidden: true } };
  const { user } = await showCrud({ crud: areas, actions: { row }, columns }, { answers, codes: [...codes, 'area_entries'] });
  expect(screen.getAllByText('否')).toHaveLength(2);
  expect(screen.getByText('区3!')).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: '排序' })).toBeNull();
  await user.click(screen.getAllByRole('button', { name: '字典' })[1] as HTMLElement);
  expect(pressed).toEqual(['3']);
  expect(screen.queryByRole('button', { name: '禁用' })).toBeNull();
});

test('a page leaves the cells of some rows empty, and shows the value of the others as usual', async () => {
  const columns = { isClosed: { render: ({ id }: { id: string }) => (id === '3' ? null : undefined) } };
  await showCrud({ crud: areas, columns }, { answers, codes });
  expect(within(screen.getByRole('row', { name: /区2/ })).getByText('否')).toBeTruthy();
  expect(within(screen.getByRole('row', { name: /区3/ })).queryByText('否')).toBeNull();
});

test('on a phone a card has a button for what the list is there for, and pressing it does not also select the row', async () => {
  const wide = window.innerWidth;
  const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
  const pressed: string[] = [];
  const note = ({ id }: { id: string }) => void pressed.push(id);
  happyDOM.setViewport({ width: 390 });
  try {
    const row = [{ title: ['关闭', 'Close'], isPrimary: true, when: ({ id }: { id: string }) => id === '3', onClick: note }] as const;
    const onRow = () => ({ onClick: () => void pressed.push('row') });
    const { user } = await showCrud({ crud: areas, actions: { row }, onRow }, { answers, codes: ['area'] });
    await user.click(screen.getByRole('button', { name: '关闭' }));
    expect(pressed).toEqual(['3']);
  } finally {
    happyDOM.setViewport({ width: wide });
  }
});

/** Areas have their parent as a column. */
const Place = entity('area', { id: Id(), areaName: Text({ title: ['名称', 'Name'], search: true }), parentId: Parent({ title: ['上级', 'Parent'] }) });
const places = crud('/area', Place);
const placeAnswers: ScreenOptions['answers'] = {
  ...answers,
  '/area/list': () => ({ records: [node('21'), { ...node('3'), parentId: '2' }, { ...node('4'), parentId: '9' }], total: 3, totalExact: true }),
};
const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

test('a screen shows its fields in its order, plus a filter by creation time', async () => {
  const { user, openFilters } = await showCrud({ crud: places, fields: ['parentId', 'areaName'] }, { answers: placeAnswers, codes: ['area', 'area_add'] });
  expect(headings()).toEqual(['上级', '名称']);
  expect(screen.getByRole('textbox', { name: '名称' })).toBeTruthy();
  expect((await openFilters()).getByRole('textbox', { name: '创建时间：开始' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: '新增' }));
  await screen.findByRole('dialog');
  const labels = [...screen.getByRole('dialog').querySelectorAll('label')].map(({ textContent }) => textContent);
  expect(labels).toEqual(['上级', '名称']);
});

test('a parent is shown by its title in table and view, never by its id, and its tree is loaded once', async () => {
  const columns = { areaName: { render: ({ areaName }: { areaName: string }): ReactNode => <b>{areaName}!</b> } };
  const shown = await showCrud({ crud: places, columns, parents: { parentId: { call: tree } } }, { answers: placeAnswers, codes });
  const cells = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells('区21!')).toContain('区1');
  expect(cells('区3!')).toContain('区2');
  expect(cells('区4!')).not.toContain('9');
  await shown.press(screen.getAllByRole('button', { name: '查看' })[0] as HTMLElement);
  const view = within(await screen.findByRole('dialog'));
  expect(view.getByText('区21!')).toBeTruthy();
  expect(view.getByText('区1')).toBeTruthy();
  expect(shown.inputs(tree)).toHaveLength(1);
});

test('without a root a parent is required', async () => {
  const parents = { parentId: { call: tree, root: false } };
  const shown = await showCrud({ crud: areas, filter: { parentId: '0' }, parents }, { answers, codes });
  await shown.press(screen.getByRole('button', { name: '新增' }));
  await screen.findByRole('dialog');
  await shown.press(dialog().getByRole('button', { name: '保存' }));
  expect(dialog().getByText('请输入名称')).toBeTruthy();
  expect(dialog().getByText(/^请.*上级$/)).toBeTruthy();
});

test('an action of a row adds, edits, views and reloads on its screen', async () => {
  const row = [
    { title: ['下级', 'Below'], onClick: ({ id }: { id: string }, screenOf: { add(initial: object): void }) => screenOf.add({ parentId: id, remark: '新' }) },
    { title: ['再读', 'Again'], onClick: (_: unknown, screenOf: { reload(): void }) => screenOf.reload() },
  ] as const;
  const shown = await showCrud({ crud: areas, fields: ['areaName', 'rank'], actions: { row } }, { answers, codes });
  await shown.press(screen.getAllByRole('button', { name: '再读' })[0] as HTMLElement);
  expect(shown.http.to('/children')).toHaveLength(2);
  await shown.press(screen.getAllByRole('button', { name: '下级' })[0] as HTMLElement);
  await screen.findByRole('dialog');
  await shown.user.type(dialog().getByLabelText('名称'), '新区{Enter}');
  await shown.settle();
  expect(shown.http.to('/submit').map(({ input }) => input)).toEqual([{ areaName: '新区', rank: 7, parentId: '2', remark: '新' }]);
});
