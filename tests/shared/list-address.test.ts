import { expect, test } from '@rstest/core';
import fc from 'fast-check';
import type { TSchema, TUnsafe } from 'typebox';
import type { Call, Page } from '../../src/shared/contract/contract.ts';
import { type FigureRows, rowsOf } from '../../src/shared/platform/figures.ts';
import { type AddressField, clearList, type ListState, listAddress, readList, readRecord, writeList } from '../../src/shared/text/list-address.ts';

const operators = ['equal', 'gt', 'null'];
// The names of three fields are parameters with a meaning of their own.
const fields: readonly AddressField[] = [
  { name: 'name', kind: 'text', operators, isSortable: true },
  { name: 'sort', kind: 'number', operators, isSortable: true },
  { name: 'page', kind: 'text', operators },
  { name: 'mode', kind: 'text', options: [1, 2, 'x', true], operators },
  { name: 'price', kind: 'numberRange', operators },
  { name: 'day', kind: 'range', operators },
  { name: 'createTime', kind: 'time', operators },
  { name: 'hidden', kind: 'text' },
];

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
const timeOfDay = fc.constantFrom('00:00:00', '23:59:59', '08:30:00');
const time = fc.tuple(day, timeOfDay).map(([date, clock]) => `${date} ${clock}`);
const bounds = <Bound>(bound: fc.Arbitrary<Bound>) =>
  fc.tuple(fc.option(bound, { nil: '' }), fc.option(bound, { nil: '' })).filter((pair) => pair.some((end) => end !== ''));
const filters = fc.record(
  { name: text, sort: number, page: text, mode: fc.constantFrom(1, 2, 'x', true), price: bounds(number), day: bounds(day), createTime: bounds(time) },
  { requiredKeys: [] },
);
const condition = fc.oneof(
  fc.record({ field: fc.constantFrom('name', 'page'), operator: fc.constantFrom('equal', 'gt'), value: text }),
  fc.record({ field: fc.constantFrom('sort', 'price'), operator: fc.constantFrom('equal', 'gt'), value: number }),
  fc.record({ field: fc.constantFrom('name', 'mode'), operator: fc.constant('null') }),
);
const column = fc.record(
  { name: fc.constantFrom('name', 'price'), hidden: fc.constant(true), pin: fc.constantFrom('left', 'right') },
  { requiredKeys: ['name'] },
);
const state: fc.Arbitrary<ListState> = fc.record(
  {
    filters,
    conditions: fc.array(condition, { maxLength: 4 }),
    sort: fc.record({ field: fc.constantFrom('name', 'sort'), direction: fc.constantFrom('asc', 'desc') }),
    current: fc.integer({ min: 1, max: 1e9 }),
    size: fc.constantFrom(10, 30, 50, 100, 200),
    columns: fc.array(column, { maxLength: 3 }),
    record: fc.stringMatching(/^\d{1,19}$/),
    mode: fc.constantFrom('edit', 'add'),
  },
  { requiredKeys: [] },
);

const searchIn = (address: string) => address.slice('/lamp/index'.length);

test('an address states a list completely, whatever the values and the names of fields are', () => {
  fc.assert(
    fc.property(state, (given) => {
      const search = searchIn(listAddress('/lamp/index', given));
      const { query, columns, unapplied } = readList(search, fields);
      const { filters = {}, conditions = [], sort, current = 1, size = 10 } = given;
      expect({ current: 1, size: 10, ...query }).toEqual({ filters, conditions, current, size, ...(sort ? { sort } : {}) });
      expect(columns).toEqual(given.columns ?? []);
      expect(readRecord(search)).toEqual({ record: given.record, mode: given.mode });
      expect(unapplied).toEqual([]);
      expect(listAddress('/lamp/index', { ...query, columns, ...readRecord(search) })).toBe(`/lamp/index${search}`);
    }),
    { numRuns: 500 },
  );
});

test('parameters of the page itself survive a change of the list', () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      const parameters = new URLSearchParams(searchIn(listAddress('/lamp/index', before)));
      parameters.set('dept', '7');
      clearList(parameters, fields);
      writeList(parameters, after);
      const { record, mode, columns, ...query } = after;
      expect(readList(`?${parameters}`, fields).query).toEqual(readList(searchIn(listAddress('/lamp/index', query)), fields).query);
      expect([parameters.get('dept'), readRecord(`?${parameters}`)]).toEqual(['7', { record: before.record, mode: before.mode }]);
    }),
  );
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('name', 'price', 'createTime', 'sort', 'page', 'size', 'columns', 'mode.is', 'x.gt', 'hidden'), (value, name) => {
      const { query } = readList(`?${name}=${value}&${new URLSearchParams([[name, value]])}`, fields);
      expect(query.filters).not.toHaveProperty('hidden');
    }),
  );
});

test('an address is readable and states no defaults', () => {
  const filters = { status: 1, advertiserName: '晨麦', createTime: ['2026-01-01 00:00:00', '2026-02-01 23:59:59'], sort: 5 };
  const conditions = [{ field: 'price', operator: 'gt', value: 100 }];
  const address = listAddress('/task/index', {
    filters,
    conditions,
    sort: { field: 'price', direction: 'desc' },
    current: 3,
    size: 50,
    record: '123',
    mode: 'edit',
  });
  expect(decodeURIComponent(address)).toBe(
    '/task/index?status=1&advertiserName=晨麦&createTime=2026-01-01..2026-02-01&sort.is=5&price.gt=100&sort=-price&page=3&size=50&record=123&mode=edit',
  );
  expect(listAddress('/task/index', { filters: { name: '', kind: undefined }, conditions: [], current: 1, size: 10, columns: [] })).toBe('/task/index');
});

test('rows of a figure can have any of several values', () => {
  const lamp = { menu: 'lamp', list: { path: '/api/shop/lamp/list' } as Call<TSchema, TUnsafe<Page<{ readonly status: number; readonly color: string }>>> };
  const addressOf = (rows: FigureRows) => listAddress('/shop/lamp/index', rows);
  expect(addressOf(rowsOf(lamp, { color: 'red', status: [1, 2] }))).toBe(
    listAddress('/shop/lamp/index', {
      filters: { color: 'red' },
      where: {
        join: 'or',
        of: [
          { field: 'status', operator: 'equal', value: '1' },
          { field: 'status', operator: 'equal', value: '2' },
        ],
      },
    }),
  );
  const both = rowsOf(lamp, { status: [1, 2], color: ['red', 'blue'] });
  expect(both.where).toMatchObject({ join: 'and', of: [{ join: 'or' }, { join: 'or' }] });
  expect(rowsOf(lamp, { status: 1 })).not.toHaveProperty('where');
});
