import { expect, test } from '@rstest/core';
import Schema from 'typebox/schema';
import { crud, entity, event, NoInput, TreeOf, withoutCalls } from '#shared/contract';
import { DateTime, Id, Integer, LongText, Nullable, Parent, Select, Text, traitsOf } from '#shared/fields';
import { codes, menu } from '#shared/menu-entry';

const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 8, search: true }),
  colour: Select({
    title: ['颜色', 'Colour'],
    options: [
      [1, ['红', 'Red']],
      [2, ['绿', 'Green']],
    ],
    default: 1,
  }),
  watts: Nullable(Integer({ title: ['功率', 'Watts'], minimum: 0 })),
  served: DateTime({ title: ['检修时间', 'Served'], form: false }),
  note: Nullable(LongText({ title: ['说明', 'Note'] })),
  parentId: Parent({ title: ['上级', 'Parent'] }),
});

test('a row carries every field and the audit columns, and none of them may be missing', () => {
  expect(Object.keys(Lamp.row.properties)).toEqual([
    'id',
    'name',
    'colour',
    'watts',
    'served',
    'note',
    'parentId',
    'createUser',
    'createDept',
    'createTime',
    'updateUser',
    'updateTime',
    'status',
    'isDeleted',
    'version',
  ]);
  expect(Lamp.row.required).toEqual(Object.keys(Lamp.row.properties));
});

test('a form accepts editable fields: no audit columns, no server fields, id and version only for edits', () => {
  expect(Object.keys(Lamp.form.properties)).toEqual(['id', 'version', 'name', 'colour', 'watts', 'note', 'parentId']);
  expect(Lamp.form.required).toEqual(['name', 'colour', 'parentId']);
  expect(Lamp.form).toMatchObject({ additionalProperties: false });
});

test('an optional field is null where it has no value, and may then be empty', () => {
  expect(Lamp.row.properties.watts).toMatchObject({ type: ['integer', 'null'], minimum: 0 });
  expect(Lamp.row.properties.note).toMatchObject({ type: ['string', 'null'] });
  expect(Lamp.row.properties.note).not.toHaveProperty('minLength');
});

test('a field keeps what screens need under one keyword, and stays plain JSON Schema', () => {
  expect(traitsOf(Lamp.fields.name)).toEqual({ widget: 'text', title: ['名称', 'Name'], search: true });
  expect(JSON.parse(JSON.stringify(Lamp.fields.name))).toEqual({
    type: 'string',
    minLength: 1,
    maxLength: 8,
    title: '名称',
    field: traitsOf(Lamp.fields.name),
  });
  expect(Lamp.fields.colour).toMatchObject({ type: 'integer', enum: [1, 2], default: 1, title: '颜色' });
});

test('the generic screen has four calls, each guarded by a code of its page', () => {
  const lamp = crud('/api/shop/lamp', Lamp);
  expect([lamp.list, lamp.detail, lamp.submit, lamp.remove].map(({ method, path, access: who }) => [method, path, who])).toEqual([
    ['GET', '/api/shop/lamp/list', { code: 'lamp' }],
    ['GET', '/api/shop/lamp/detail', { code: 'lamp' }],
    ['POST', '/api/shop/lamp/submit', { add: 'lamp_add', edit: 'lamp_edit' }],
    ['POST', '/api/shop/lamp/remove', { code: 'lamp_delete' }],
  ]);
  expect(lamp.list.filterable).toBe(Lamp);
});

test('calls of a row may be guarded by another page', () => {
  expect(crud('/api/shop/lamp', Lamp, { menu: 'shop' }).remove.access).toEqual({ code: 'shop_delete' });
});

test('a submit may take another input, and a list may be a tree that is not paged', () => {
  const lamp = crud('/api/shop/lamp', Lamp, { input: NoInput, tree: true });
  expect(Object.keys((lamp.submit.input as { properties: object }).properties)).toEqual(['version']);
  expect(Object.keys((lamp.list.input as unknown as { properties: object }).properties)).toEqual(['ascs', 'descs', 'ids', 'where']);
  expect(lamp.list).toMatchObject({ method: 'GET', path: '/api/shop/lamp/list', filterable: Lamp, reply: { type: 'array' } });
});

test('a tree is described to its last level', () => {
  const { id } = Lamp.fields;
  const forest = TreeOf({ type: 'object', required: ['id'], properties: { id } } as never);
  expect(Schema.Check(forest as object, [{ id: '1', children: [{ id: '2', children: [{ id: '3' }] }] }])).toBe(true);
  expect(Schema.Check(forest as object, [{ id: '1', children: [{ id: '2', children: [{ name: 'no id' }] }] }])).toBe(false);
});

test('rows belong to tenants and the newest come first, unless declared otherwise', () => {
  const fields = { id: Id(), sort: Integer({ title: ['排序', 'Order'], sort: true }) };
  expect(entity('lamp', fields)).toMatchObject({ owner: 'tenant', order: [] });
  expect(entity('lamp', fields, { owner: 'platform', order: ['sort'] })).toMatchObject({ owner: 'platform', order: ['sort'] });
});

test('codes, menus and events are plain data', () => {
  const verbs = { add: 'lamp_add', edit: 'lamp_edit', delete: 'lamp_delete', view: 'lamp_view', export: 'lamp_export', import: 'lamp_import' };
  expect(codes('lamp')).toEqual({ page: 'lamp', ...verbs });
  expect(menu({ code: 'lamp', title: ['灯', 'Lamps'], path: '/shop/lamp' })).toEqual({ code: 'lamp', title: ['灯', 'Lamps'], path: '/shop/lamp' });
  expect(event<{ id: string }>('lamp:lit')).toEqual({ name: 'lamp:lit' });
});

test('a screen leaves calls out; without its import it has no previews of one either', () => {
  const calls = withoutCalls(crud('/api/shelf', entity('shelf', { id: Id() })), 'import', 'remove');
  const left = ['import', 'importTemplate', 'importPreview', 'importMapping', 'remove'] as const;
  expect(left.filter((name) => name in calls)).toEqual([]);
  expect(calls.export.path satisfies string).toBe('/api/shelf/export');
});
