import { expect, test } from '@rstest/core';
import { type LoadOrderEntry, resolveLoadOrder } from '../../src/shared/manifest/load-order.ts';

const orderOf = (plugins: readonly LoadOrderEntry[]) => resolveLoadOrder(plugins).ordered.map(({ id }) => id);

test('dependencies come first; otherwise the order of the list holds', () => {
  expect(orderOf([{ id: 'c', needs: ['a'] }, { id: 'b' }, { id: 'a', needs: { b: '^1' } }, { id: 'd' }])).toEqual(['b', 'a', 'c', 'd']);
});

test('optional dependencies come first where they can; absent and contradicting ones keep no plugin waiting', () => {
  const plugins = [{ id: 'a', wants: ['b', 'ghost'] }, { id: 'b', needs: ['c'] }, { id: 'c' }, { id: 'd', wants: ['e'] }, { id: 'e', needs: ['d'] }];
  expect(orderOf(plugins)).toEqual(['c', 'b', 'a', 'd', 'e']);
  expect(
    orderOf([
      { id: 'a', wants: ['b'] },
      { id: 'b', wants: ['a'] },
    ]),
  ).toEqual(['b', 'a']);
});

test('a missing dependency, a cycle and their dependents are each named', () => {
  const plugins = [
    { id: 'a', needs: ['ghost'] },
    { id: 'b', needs: ['a', 'e'] },
    { id: 'c', needs: ['d'] },
    { id: 'd', needs: ['e', 'c'] },
    { id: 'e' },
    { id: 'f', needs: ['d'] },
    { id: 'g', needs: ['g'] },
    { id: 'h' },
    { id: 'i', needs: ['h'], wants: ['a'] },
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
