import { expect, test } from '@rstest/core';
import { ReferenceStore } from '../../../../src/kernel/crud/references/reference-store.ts';
import { crud, entity, get, NoInput } from '../../../../src/shared/contract/contract.ts';
import { Id, Reference, Text, traitsOf } from '../../../../src/shared/contract/fields.ts';
import { ScriptedHttp } from '../../../support/scripted-http.ts';

const title = ['厂家', 'Maker'] as const;
const maker = crud('/api/shop/maker', entity('maker', { id: Id(), name: Text({ title: ['名称', 'Name'], search: true }) }));
const plain = get('/api/shop/makers', { title, access: 'signedIn', input: NoInput, reply: NoInput });
const sourceOf = (from: Parameters<typeof Reference>[0]['from']) => {
  const source = traitsOf(Reference({ title, from }))?.reference;
  if (!source) throw new Error('The field has no source.');
  return source;
};

test('a picker of a list searches a field by its text, pinyin and initials, and other calls get the parameter that they name', () => {
  expect(sourceOf({ call: maker.list, paged: true, search: 'name' })).toMatchObject({ entity: 'maker', search: 'name_match' });
  expect(sourceOf({ call: maker.list, paged: true, search: 'name_likeright' }).search).toBe('name_likeright');
  expect(sourceOf({ call: plain, entity: 'maker', search: 'name' }).search).toBe('name');
  expect(sourceOf({ call: maker.list, paged: true })).not.toHaveProperty('search');
});

test('the typed text is sent as the filter of the picker, on every page', async () => {
  const http = new ScriptedHttp({ '/api/shop/maker/list': ({ current }) => ({ records: [{ id: String(current), name: '月光灯厂' }], total: 40 }) });
  const store = new ReferenceStore(http, sourceOf({ call: maker.list, paged: true, search: 'name' }), { deptId: '7' });
  store.search('');
  await expect.poll(() => store.state.status).toBe('ready');
  store.search('ygd');
  await expect.poll(() => http.sent.length).toBe(2);
  await expect.poll(() => store.state.status).toBe('ready');
  store.loadMore();
  await expect.poll(() => store.state.choices.map(({ value }) => value)).toEqual(['1', '2']);
  expect(http.sent.map(({ input }) => input)).toEqual([
    { deptId: '7', current: 1, size: 20 },
    { deptId: '7', name_match: 'ygd', current: 1, size: 20 },
    { deptId: '7', name_match: 'ygd', current: 2, size: 20 },
  ]);
  store.lifetime.unsubscribe();
});

test('a row of a lazy tree can be expanded again after its children could not be loaded', async () => {
  let isDown = true;
  const http = new ScriptedHttp({
    '/api/shop/makers': ({ parentId }) => {
      if (!parentId) return [{ id: '1', name: '月光灯厂', hasChildren: true }];
      if (isDown) throw new Error('offline');
      return [{ id: '2', name: '一车间', hasChildren: false }];
    },
  });
  const store = new ReferenceStore(http, sourceOf({ call: plain, entity: 'maker', shape: 'lazy-tree' }), {});
  store.search('');
  await expect.poll(() => store.state.status).toBe('ready');
  expect(await store.loadChildren('1')).toEqual([]);
  expect(store.state.choices[0]?.isLeaf).toBe(false);
  isDown = false;
  await store.loadChildren('1');
  expect(store.state.choices[0]?.children.map(({ title: name }) => name)).toEqual(['一车间']);
  store.lifetime.unsubscribe();
});
