import { expect, test } from '@rstest/core';
import { entity, list, PageOf } from '#shared/contract';
import { Id, MultiSelect, Nullable, Text } from '#shared/fields';
import { withLists } from '../../../../src/kernel/platform/http/http-client.ts';

const Person = entity('person', {
  id: Id(),
  name: Text({ title: ['姓名', 'Name'] }),
  roleId: Nullable(MultiSelect(Id({ title: ['角色', 'Roles'] }), { comma: true })),
  tags: MultiSelect(Text({ title: ['标签', 'Tags'] })),
});
const people = list('/people', Person, 'signedIn', ['列表', 'List']);

test('comma-separated texts of rows become lists at any depth; other texts are unchanged, commas included', () => {
  const row = { id: '1', name: '李,雷', roleId: '5,7', tags: ['a,b'] };
  const page = { records: [row, { ...row, roleId: '' }, { ...row, roleId: null }, { id: '2' }], total: 4 };
  expect(withLists(page, people.reply)).toEqual({
    records: [{ ...row, roleId: ['5', '7'] }, { ...row, roleId: [] }, { ...row, roleId: null }, { id: '2' }],
    total: 4,
  });
  expect(withLists(row, Person.row)).toEqual({ ...row, roleId: ['5', '7'] });
  for (const strange of [null, 'text', 3, [], { records: 'none' }]) expect(withLists(strange, people.reply)).toEqual(strange);
});

test('other replies are returned unchanged', () => {
  const Plain = entity('plain', { id: Id(), tags: MultiSelect(Text({ title: ['标签', 'Tags'] })) });
  const page = { records: [{ id: '1', tags: ['a'] }] };
  expect(withLists(page, PageOf(Plain.row))).toBe(page);
});
