import { expect, test } from '@rstest/core';
import { extentOf, foundIn, toggled } from '../../../../../src/kernel/crud/controls/references/CheckTree.tsx';

const leaf = (value: string) => ({ value, title: value, isLeaf: true, children: [] });
const branch = (value: string, ...children: ReturnType<typeof leaf>[]) => ({ value, title: value, isLeaf: false, children });
const users = branch('users', leaf('add'), leaf('edit'));
const system = { ...branch('system'), children: [users, branch('posts', leaf('hire'))] };
const forest = [system, branch('desk', leaf('notice'))];
const values = (checked: ReadonlySet<string>) => [...checked].sort();

test('checking an entry checks its descendants and ancestors', () => {
  expect(values(toggled(forest, 'users', new Set()))).toEqual(['add', 'edit', 'system', 'users']);
  expect(values(toggled(forest, 'add', new Set()))).toEqual(['add', 'system', 'users']);
});

test('a partly checked entry is checked completely first, and cleared with its descendants after that', () => {
  const some = toggled(forest, 'add', new Set());
  expect(extentOf(users, some)).toBe('some');
  const all = toggled(forest, 'users', some);
  expect(extentOf(users, all)).toBe('all');
  expect(values(toggled(forest, 'users', all))).toEqual(['system']);
});

test('a page stays when its last button is cleared', () => {
  const one = toggled(forest, 'hire', new Set());
  expect(values(toggled(forest, 'hire', one))).toEqual(['posts', 'system']);
});

test('matches are shown with their ancestors', () => {
  expect(foundIn(forest, 'hir')).toMatchObject([{ value: 'system', children: [{ value: 'posts', children: [{ value: 'hire' }] }] }]);
  expect(foundIn(forest, ' ')).toBe(forest);
});
