import { expect, test } from '@rstest/core';
import { type LoadOrderEntry, resolveLoadOrder } from '../../src/shared/manifest/load-order.ts';

const orderOf = (plugins: readonly LoadOrderEntry[]) => resolveLoadOrder(plugins).ordered.map(({ id }) => id);

test('dependencies come first; otherwise the order of the list holds', () => {
  expect(orderOf([{ id: 'c', dependencies: ['a'] }, { id: 'b' }, { id: 'a', dependencies: { b: '^1' } }, { id: 'd' }])).toEqual(['b', 'a', 'c', 'd']);
});

test('optional dependencies come first where they can; absent and contradicting ones keep no plugin waiting', () => {
  const plugins = [
    { id: 'a', optionalDependencies: ['b', 'ghost'] },
    { id: 'b', dependencies: ['c'] },
    { id: 'c' },
    { id: 'd', optionalDependencies: ['e'] },
    { id: 'e', dependencies: ['d'] },
  ];
  expect(orderOf(plugins)).toEqual(['c', 'b', 'a', 'd', 'e']);
  expect(
    orderOf([
      { id: 'a', optionalDependencies: ['b'] },
      { id: 'b', optionalDependencies: ['a'] },
    ]),
  ).toEqual(['b', 'a']);
});

test('a missing dependency, a cycle and their dependents are each named', () => {
  const plugins = [
    { id: 'a', dependencies: ['ghost'] },
    { id: 'b', dependencies: ['a', 'e'] },
    { id: 'c', dependencies: ['d'] },
    { id: 'd', dependencies: ['e', 'c'] },
    { id: 'e' },
    { id: 'f', dependencies: ['d'] },
    { id: 'g', dependencies: ['g'] },
    { id: 'h' },
    { id: 'i', dependencies: ['h'], optionalDependencies: ['a'] },
  ];
  const { ordered, blocked } = resolveLoadOrder(plugins, new Set(['h']));
  expect(ordered.map(({ id }) => id)).toEqual(['e']);
  expect(Object.fromEntries(blocked)).toEqual({
    a: { kind: 'missing', ids: ['ghost'] },
    b: { kind: 'dependency', ids: ['a'] },
    c: { kind: 'cycle', ids: ['c', 'd', 'c'] },
    d: { kind: 'cycle', ids: ['d', 'c', 'd'] },
    f: { kind: 'dependency', ids: ['d'] },
    g: { kind: 'cycle', ids: ['g', 'g'] },
    i: { kind: 'dependency', ids: ['h'] },
  });
});
