import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { crud, entity, get, NoInput, TreeNode, TreeOf } from '../../../../src/shared/contract/contract.ts';
import { Flag, Id, Parent, Reference, Text } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

const rooms = get('/api/shop/room/tree', { title: ['房间', 'Rooms'], access: 'signedIn', input: NoInput, reply: TreeOf(TreeNode) });
const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'] }),
  roomId: Reference({ title: ['房间', 'Room'], search: true, from: { call: rooms, shape: 'tree' } }),
  parentId: Parent({ title: ['上级', 'Within'], search: true, list: false }),
  isLit: Flag({
    title: ['点亮', 'Lit'],
    search: true,
    labels: [
      ['灭', 'Off'],
      ['亮', 'On'],
    ],
  }),
});
const lamp = crud('/api/shop/lamp', Lamp);
const nodes = [{ id: '7', parentId: '0', value: '7', key: '7', title: '大厅', hasChildren: 0, children: [] }];
const answers = {
  '/api/shop/lamp/list': () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }),
  '/api/shop/room/tree': () => nodes,
};

beforeEach(() => {
  cleanup();
  localStorage.clear();
  history.replaceState(null, '', '/base/lamp/index?roomId=7&parentId=7&isLit=true');
});

test('references have their titles in the search area and in the active filters', async () => {
  const { http, settle, openFilters } = await showCrud({ crud: lamp, parents: { parentId: { call: rooms } } }, { answers, codes: ['lamp'] });
  await settle();
  expect(http.to('/list')[0]?.input).toMatchObject({ roomId_equal: '7', parentId_equal: '7', isLit_equal: 'true' });
  const chips = await screen.findByRole('list', { name: '生效的条件' });
  await expect
    .poll(() => [...chips.querySelectorAll('.crud-chip span')].map(({ textContent }) => textContent))
    .toEqual(['房间: 大厅', '上级: 大厅', '点亮: 亮']);
  const area = await openFilters();
  await expect.poll(() => area.queryAllByTitle('大厅').length, { timeout: 10_000 }).toBe(2);
});
