import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { crudRoutes } from '#server';
import { crud, entity, TreeOf } from '#shared/contract';
import { Attachment, Id, Image, Nullable, Text } from '#shared/fields';
import { files } from '#shared/files';
import { menu } from '#shared/menu-entry';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { RecordFileLinks } from '../../../../src/server/platform/files/record-links.ts';
import { Signatures } from '../../../../src/server/platform/files/signatures.ts';
import { openTestServer, type TestServer, testSecret } from '../../../support/test-server.ts';

const Deed = entity('deed', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  papers: Nullable(Attachment({ title: ['附件', 'Papers'] })),
  cover: Nullable(Image({ title: ['封面', 'Cover'] })),
});
const deed = crud('/api/test/deed', Deed);

const deeds: InstalledPlugin = {
  migrations: {
    '0001-deed.sql': `create table deed (like base_row including all, name varchar(64) not null, papers jsonb, cover varchar(1000)); call own_by_tenant('deed');`,
  },
  plugin: defineServerPlugin({
    id: 'deed',
    title: ['契据', 'Deeds'],
    menus: [menu({ code: 'deed', title: ['契据', 'Deeds'], path: '/deed', under: 'desk', buttons: ['add', 'edit', 'delete', 'export', 'import'] })],
    setup: ({ db }) => ({ routes: [crudRoutes(deed, repositoryOf(db, Deed))] }),
  }),
};

const signatures = new Signatures(...secretKeysOf(testSecret).file);
let server: TestServer;
let writer: Record<string, string>;
let reader: Record<string, string>;
let outsider: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: [deeds, 'transfers'] });
  await server.createUser({ account: 'writer', codes: ['deed', 'deed_add', 'deed_edit', 'deed_export'] });
  await server.createUser({ account: 'reader', codes: ['deed'] });
  await server.createUser({ account: 'outsider', codes: ['deed_add', 'deed_edit'] });
  [writer, reader, outsider] = [await server.signIn('writer'), await server.signIn('reader'), await server.signIn('outsider')];
});
afterAll(() => server.stop());

/** Uploads a private file as the form of the console does. */
async function uploaded(as = writer): Promise<string> {
  const { data } = await server.upload(files.upload.path, { name: '合同.txt', content: 'the contract' }, { headers: as });
  return `${data.link}#${data.id}/${encodeURIComponent('合同.txt')}`;
}
const submit = (form: object, as = writer) => server.post(deed.submit.path, form, { headers: as });
const keyOf = (link: string) => /key=(\w+)/.exec(link)?.[1] ?? '';
/** Returns the same link after its ten minutes have expired. */
const expired = (link: string) => {
  const past = Math.floor(Date.now() / 1000) - 5;
  return `/api/file/blob?key=${keyOf(link)}&expires=${past}&signature=${signatures.sign(keyOf(link), past)}#${link.split('#')[1]}`;
};
const open = async (link: string) => (await server.get(link.split('#')[0] ?? '')).status;
const kept = async (id: string) => (await server.sql(`select papers, cover from deed where id = ${id}`))[0] as { papers: string[]; cover: string };

test('users who can see a record open its files, long after the original link has expired', async () => {
  const link = await uploaded();
  const { data } = await submit({ name: 'a', papers: [link, 'https://example.com/x.pdf'], cover: '/api/file/blob?key=0123' });
  const { papers, cover } = await kept(data.id);
  expect(await open(papers[0] ?? '')).toBe(403);
  expect([papers[1], cover]).toEqual(['https://example.com/x.pdf', '/api/file/blob?key=0123']);
  for (const reply of [
    await server.get(deed.detail.path, { headers: reader, query: { id: data.id } }),
    { data: (await server.get(deed.list.path, { headers: reader })).data.records[0] },
    { data },
  ]) {
    const [fresh] = reply.data.papers;
    expect(fresh.split('#')[1]).toBe(link.split('#')[1]);
    expect(await open(fresh)).toBe(200);
  }
  expect(await server.get(deed.detail.path, { headers: outsider, query: { id: data.id } })).toMatchObject({ status: 403 });
  expect(await server.get(files.link.path, { headers: reader, query: { id: link.split(/[#/]/).at(-2) ?? '' } })).toMatchObject({ status: 404 });
});

test('a link that has expired stays in its record, and its owner may still use it in another', async () => {
  const link = await uploaded();
  const { data } = await submit({ name: 'b', papers: [link] });
  await server.createUser({ account: 'editor', codes: ['deed', 'deed_edit'] });
  const editor = await server.signIn('editor');
  expect(await submit({ id: data.id, name: 'b2', papers: [expired(link)] }, editor)).toMatchObject({ status: 200 });
  expect(await submit({ name: 'c', papers: [expired(link)] })).toMatchObject({ status: 200 });
  const again = (await server.get(deed.detail.path, { headers: reader, query: { id: data.id } })).data;
  expect(await open(again.papers[0])).toBe(200);
});

test('writing the link of a file into another record grants no access', async () => {
  const link = await uploaded();
  const key = keyOf(link);
  for (const forged of [expired(link), `${expired(link).split('&signature')[0]}&signature=x#1/a`, `/api/file/blob?key=${key}&expires=0&signature=x`]) {
    expect(await submit({ name: 'd', papers: [forged] }, outsider), forged).toMatchObject({
      status: 400,
      msg: '文件链接已失效，请重新上传',
    });
  }
  const { data } = await submit({ name: 'e', papers: [`/api/file/blob?key=${key}`] }, outsider);
  const [answered] = (await server.get(deed.detail.path, { headers: reader, query: { id: data.id } })).data.papers;
  expect(answered).toBe(`/api/file/blob?key=${key}`);
  expect(await open(answered)).toBe(404);
  const bulk = await server.post(deed.bulkSubmit.path, { ids: [data.id], values: { papers: [expired(link)] } }, { headers: outsider });
  expect(bulk).toMatchObject({ status: 400, body: { field: 'papers' } });
});

test('no log carries what opens a file, and an export carries links that do', async () => {
  const link = await uploaded();
  await submit({ name: 'logged', papers: [link] });
  const { data: run } = await server.post(deed.export.path, { format: 'csv', fields: ['papers'] }, { headers: writer });
  const { data: file } = await server.get(transfers.link.path, { headers: writer, query: { id: run.id } });
  const lines = ((await server.get(file.link)).body.bytes.toString('utf8') as string).split(/[\r\n,、"]+/);
  expect(await open(lines.find((line) => line.includes(keyOf(link))) ?? '')).toBe(200);
  const [logged] = await server.sql(`select params, changes::text as changes from api_log where params like '%logged%'`);
  expect(`${logged?.params}${logged?.changes}`).toContain(keyOf(link));
  expect(`${logged?.params}${logged?.changes}`).not.toMatch(/signature=[^*]/);
});

test('files are found at every depth of a tree, and texts that only look like links are left alone', () => {
  const links = new RecordFileLinks(server.db, signatures, (key) => `fresh ${key}`);
  const key = 'a'.repeat(32);
  const held = `/api/file/blob?key=${key}&expires=0&signature=${signatures.sign(key, 0)}`;
  const row = { id: '1', name: held, papers: [held], cover: held };
  const fresh = { id: '1', name: held, papers: [`fresh ${key}`], cover: `fresh ${key}` };
  expect(links.withSignedLinks(TreeOf(Deed.row), [{ ...row, children: [{ ...row, children: [row] }] }] as never)).toEqual([
    { ...fresh, children: [{ ...fresh, children: [fresh] }] },
  ]);
});
