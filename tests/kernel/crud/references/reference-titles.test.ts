import { expect, test } from '@rstest/core';
import { ReferenceTitles, titleIn } from '../../../../src/kernel/crud/references/reference-titles.ts';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Reference, type ReferenceSource, Text, traitsOf } from '../../../../src/shared/contract/fields.ts';
import { Refused, ScriptedHttp } from '../../../support/scripted-http.ts';

const owners: ReferenceSource = { path: '/api/owner/list', shape: 'rows', value: 'id', title: 'name', paged: true };
const places: ReferenceSource = { path: '/api/place/tree', shape: 'tree', value: 'value', title: 'title' };
const regions: ReferenceSource = { path: '/api/region/below', shape: 'lazy-tree', value: 'code', title: 'name' };
const answered = () => new Promise((resolve) => setTimeout(resolve));

const http = () =>
  new ScriptedHttp({
    '/api/owner/list': ({ ids }) => ({
      records: String(ids)
        .split(',')
        .filter((id) => Number(id) < 900)
        .map((id) => ({ id, name: `owner ${id}` })),
      total: 0,
    }),
    '/api/place/tree': () => [{ value: '1', title: 'hall', children: [{ value: '2', title: 'wall' }] }],
  });

test('values requested at the same time are loaded in one request, each once, at most two hundred', async () => {
  const server = http();
  const titles = ReferenceTitles.of(server, 'zh');
  for (let id = 1; id <= 250; id++) titles.load(owners, String(id));
  titles.load(owners, '7');
  expect(titleIn(titles.state, owners, '7')).toEqual({ status: 'loading' });
  await answered();
  expect(server.sent.map(({ input }) => String(input.ids).split(',').length)).toEqual([200, 50]);
  expect(titleIn(titles.state, owners, '7')).toEqual({ status: 'ready', title: 'owner 7' });
  titles.load(owners, '7');
  await answered();
  expect(server.sent).toHaveLength(2);
});

test('values missing from the answer are shown as deleted; a tree is searched at any depth', async () => {
  const server = http();
  const titles = ReferenceTitles.of(server, 'zh');
  for (const value of ['5', '901']) titles.load(owners, value);
  for (const value of ['2', '3']) titles.load(places, value);
  await answered();
  expect(server.sent.map(({ input }) => input)).toEqual([{ ids: '5,901', current: 1, size: 200 }, {}]);
  expect(titleIn(titles.state, owners, '901')).toEqual({ status: 'missing' });
  expect(titleIn(titles.state, places, '2')).toEqual({ status: 'ready', title: 'wall' });
  expect(titleIn(titles.state, places, '3')).toEqual({ status: 'missing' });
});

test('no value is shown as deleted after a refusal, or for a call that takes no values', async () => {
  const server = new ScriptedHttp({ '/api/owner/list': () => new Refused(403, 'no') });
  const titles = ReferenceTitles.of(server, 'zh');
  titles.load(owners, '5');
  titles.load(regions, '1101');
  await answered();
  expect(server.sent).toHaveLength(1);
  expect(titleIn(titles.state, owners, '5')).toEqual({ status: 'failed' });
  expect(titleIn(titles.state, regions, '1101')).toEqual({ status: 'failed' });
});

test('a call with a lookup parameter loads several values of a tree', async () => {
  const server = new ScriptedHttp({ '/api/region/below': () => [{ code: '1101', name: 'Dongcheng' }] });
  const titles = ReferenceTitles.of(server, 'zh');
  const named = { ...regions, lookup: 'codes' };
  titles.load(named, '1101');
  await answered();
  expect(server.sent[0]?.input).toEqual({ codes: '1101' });
  expect(titleIn(titles.state, named, '1101')).toEqual({ status: 'ready', title: 'Dongcheng' });
});

test('a value that a filter of its picker leaves out keeps its title', async () => {
  const Owner = entity('owner', { id: Id(), name: Text({ title: ['名称', 'Name'], search: true }) });
  const field = Reference({ title: ['业主', 'Owner'], from: { call: crud('/api/owner', Owner).list, paged: true, input: { name_equal: 'owner 1' } } });
  const source = traitsOf(field)?.reference as ReferenceSource;
  const server = http();
  const titles = ReferenceTitles.of(server, 'zh');
  titles.load(source, '2');
  await answered();
  expect(server.sent[0]?.input).toEqual({ ids: '2', current: 1, size: 200 });
  expect(titleIn(titles.state, source, '2')).toEqual({ status: 'ready', title: 'owner 2' });
});

test('titles are read again in another language', async () => {
  let name = '总部';
  const server = new ScriptedHttp({ '/api/owner/list': ({ ids }) => ({ records: [{ id: ids, name }], total: 1 }) });
  const titles = ReferenceTitles.of(server, 'zh');
  titles.load(owners, '1');
  await answered();
  name = 'Head office';
  const english = ReferenceTitles.of(server, 'en');
  english.load(owners, '1');
  await answered();
  expect(titleIn(titles.state, owners, '1')).toEqual({ status: 'ready', title: '总部' });
  expect(titleIn(english.state, owners, '1')).toEqual({ status: 'ready', title: 'Head office' });
  expect(ReferenceTitles.of(server, 'zh')).toBe(titles);
});
