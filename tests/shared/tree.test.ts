import { expect, test } from '@rstest/core';
import { nodesOf, treeOf } from '#shared/tree';

const row = (id: string, parentId: string) => ({ id, parentId, name: `n${id}` });

test('rows become a forest: siblings in the order given, no children where there are none, orphans at the top', () => {
  const forest = treeOf([row('4', '1'), row('1', '0'), row('9', '8'), row('3', '1'), row('5', '4')]);
  expect(forest).toEqual([{ ...row('1', '0'), children: [{ ...row('4', '1'), children: [row('5', '4')] }, row('3', '1')] }, row('9', '8')]);
});

test('the rows themselves stay unchanged', () => {
  const rows = [row('1', '0'), row('2', '1')];
  treeOf(rows);
  expect(rows).toEqual([row('1', '0'), row('2', '1')]);
});

test('nodes to pick from carry their id under three names', () => {
  expect(nodesOf([row('1', '0'), row('2', '1')], 'name')).toEqual([
    { id: '1', parentId: '0', title: 'n1', value: '1', key: '1', children: [{ id: '2', parentId: '1', title: 'n2', value: '2', key: '2' }] },
  ]);
});
