import { expect, test } from '@rstest/core';
import { addressFields } from '../../../../src/kernel/crud/search/use-list-address.ts';
import { encodedView } from '../../../../src/kernel/crud/search/views.ts';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { DateTime, Id, Integer, Select, Text } from '../../../../src/shared/contract/fields.ts';
import { readList } from '../../../../src/shared/text/list-address.ts';

const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], search: true, sort: true }),
  colour: Select({ title: ['颜色', 'Colour'], options: [[1, ['白', 'White']]], search: true }),
  secret: Text({ title: ['备注', 'Remark'] }),
  watts: Integer({ title: ['功率', 'Power'], search: true, compare: 'between' }),
  lit: DateTime({ title: ['点亮', 'Lit'], search: true }),
});
const lamp = crud('/api/shop/lamp', Lamp);
const read = (search: string) => readList(search, addressFields(lamp));

test('an address sets fields of the search area, conditions and the order of sortable fields', () => {
  const { query, unapplied } = read('?colour=1&name=%E7%81%AF&lit=2026-01-01..2026-02-01&watts=5..&watts.gt=3&sort=-name&page=2&size=50&other=1');
  expect(query).toEqual({
    filters: { colour: 1, name: '灯', lit: ['2026-01-01 00:00:00', '2026-02-01 23:59:59'], watts: [5, ''] },
    conditions: [{ field: 'watts', operator: 'gt', value: 3 }],
    sort: { field: 'name', direction: 'desc' },
    current: 2,
    size: 50,
  });
  expect(unapplied).toEqual([]);
});

test('filters of other fields, unknown options and comparisons, and invalid values are named and ignored', () => {
  const { query, unapplied } = read('?secret=x&colour=9&lit=yesterday&name.gt=1&watts.ge=much&sort=secret&page=-1&size=7&id=5&foo.bar=1');
  expect(query).toEqual({ filters: {}, conditions: [] });
  expect(unapplied).toEqual(['secret', 'colour', 'lit', 'name', 'watts']);
});

test('a link of an earlier version still applies', () => {
  const view = { version: 1, of: lamp.list.path, filters: { name: '灯', secret: 'x' }, conditions: [], columns: [{ name: 'name' }] };
  const encode = (value: object) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
  expect(encodedView(lamp, `?view=${encodeURIComponent(encode(view))}`)).toMatchObject({ filters: { name: '灯' }, columns: [{ name: 'name' }] });
  expect(encodedView(lamp, `?view=${encodeURIComponent(encode({ ...view, of: '/api/shop/room/list' }))}`)).toBeUndefined();
  expect(encodedView(lamp, '?view=all')).toBeUndefined();
});
