import { expect, test } from '@rstest/core';
import { namedView } from '../../../../src/kernel/crud/search/views.ts';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { DateTime, Id, Select, Text } from '../../../../src/shared/contract/fields.ts';

const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], search: true }),
  colour: Select({ title: ['颜色', 'Colour'], options: [[1, ['白', 'White']]], search: true }),
  secret: Text({ title: ['备注', 'Remark'] }),
  lit: DateTime({ title: ['点亮', 'Lit'], search: true }),
});
const lamp = crud('/api/shop/lamp', Lamp);

test('an address can only set fields of the search area', () => {
  expect(namedView(lamp, '?colour=1&name=%E7%81%AF&secret=x&lit=2026&other=1')?.filters).toEqual({ colour: 1, name: '灯' });
  expect(namedView(lamp, '?secret=x&other=1')).toBeUndefined();
});
