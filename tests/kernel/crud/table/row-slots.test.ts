import { expect, test } from '@rstest/core';
import fc from 'fast-check';
import { slotsOf } from '../../../../src/kernel/crud/table/rows/use-row-model.ts';

const first = slotsOf(['a', 'b', 'c'], new Map());

test('a row keeps its slot while it is listed, wherever it moves', () => {
  expect([...first]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ]);
  expect(slotsOf(['c', 'x', 'a'], first)).toEqual(
    new Map([
      ['c', 2],
      ['x', 1],
      ['a', 0],
    ]),
  );
});

test('the next page takes the slots in order, and further rows get new ones', () => {
  expect([...slotsOf(['d', 'e', 'f', 'g'], first).values()]).toEqual([0, 1, 2, 3]);
});

test('no two rows of any page share a slot', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String));
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 6 }), (pages) => {
      let slots: ReadonlyMap<string, number> = new Map();
      for (const page of pages) {
        const next = slotsOf(page, slots);
        expect([...next.keys()]).toEqual(page);
        expect(new Set(next.values()).size).toBe(page.length);
        for (const id of page) if (slots.has(id)) expect(next.get(id)).toBe(slots.get(id));
        slots = next;
      }
    }),
  );
});
