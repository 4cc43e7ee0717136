import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { attach, removeAttachments, statFile } from '#plugins/storage/contract';
import { crud, entity, menu } from '#shared/contract';
import { Attachment, Id, Optional, RichText, Text } from '#shared/fields';
import { files } from '#shared/files';
import { repositoryOf } from '../../../../src/server/db/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const Deed = entity('deed', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  papers: Optional(Attachment({ title: ['附件', 'Papers'] })),
  body: Optional(RichText({ title: ['正文', 'Body'] })),
});
const deed = crud('/api/test/deed', Deed);
const deeds: InstalledPlugin = {
  migrations: {
    '0001-deed.sql': `create table deed (like base_row including all, name varchar(64) not null, papers jsonb, body text); call own_by_tenant('deed');`,
  },
  plugin: defineServerPlugin({
    id: 'deed',
    title: ['契据', 'Deeds'],
    menus: [menu({ code: 'deed', title: ['契据', 'Deeds'], path: '/deed', under: 'desk', buttons: ['add', 'edit', 'delete'] })],
    routes: ({ serveCrud, db }) => serveCrud(deed, repositoryOf(db, Deed)),
  }),
};

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'storage', deeds] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const upload = async (name: string, content: string | Uint8Array = name, fields: Record<string, string> = {}, as = headers) =>
  (await server.upload(files.upload.path, { name, content, fields }, { headers: as })).data;
const list = async (query: Record<string, string> = {}, as = headers) => (await server.get(attach.list.path, { headers: as, query })).data;
const remove = (ids: readonly string[], more: object = {}, as = headers) => server.post(removeAttachments.path, { ids, ...more }, { headers: as });

test('what was uploaded is found by name and kind, with a link that opens it', async () => {
  const { id, name } = await upload('季度合同.PNG', png);
  await upload('其他.txt');
  const { records, total } = await list({ originalName: '合同' });
  expect({ total, ...records[0] }).toMatchObject({
    total: 1,
    id,
    name,
    originalName: '季度合同.PNG',
    extension: 'png',
    type: 'image/png',
    attachSize: png.length,
    ownerName: expect.any(String),
    isPublic: false,
  });
  expect(await server.get(records[0].link)).toMatchObject({ status: 200 });
  expect((await list({ extension: 'txt' })).total).toBe(1);
  expect((await list({ descs: 'attach_size', size: '1' })).records).toHaveLength(1);
  expect((await server.get(attach.detail.path, { headers, query: { id } })).data).toMatchObject({ id, domainUrl: '' });
  expect((await server.get(statFile.path, { headers, query: { fileName: name } })).data).toMatchObject({ length: png.length, contentType: 'image/png' });
});

test('an attachment that records refer to is deleted only by whoever means it', async () => {
  const used = await upload('used.txt');
  const drawn = await upload('drawn.png', png, { isPublic: 'true' });
  await server.post(
    deed.submit.path,
    { name: '买卖契约', papers: [`${used.link}#${used.id}/used.txt`], body: `<p><img src="${drawn.link}"></p>` },
    { headers },
  );
  const uses = (await server.get(attach.uses.path, { headers, query: { ids: `${used.id},${drawn.id}` } })).data;
  expect(uses).toHaveLength(2);
  expect(uses[0]).toMatchObject({ screen: '契据', record: '买卖契约' });
  expect(await remove([used.id])).toMatchObject({ code: 409, msg: '附件被 1 条记录引用' });
  expect(await server.get(used.link)).toMatchObject({ status: 200 });
  expect(await remove([used.id, drawn.id], { evenUsed: true })).toMatchObject({ code: 200 });
  expect(await server.get(used.link)).toMatchObject({ status: 404 });
  expect((await list({ ids: used.id })).total).toBe(0);
});

test('what the server itself keeps, what is on its way and what is of another tenant stands on no list', async () => {
  const before = (await list()).total;
  await server.post(files.beginParts.path, { fileName: 'coming.mp4', size: 10, lastModified: 1 }, { headers });
  await server.get(files.signature.path, { headers, query: { fileName: 'awaited.png' } });
  expect((await list()).total).toBe(before);
  await server.createTenant('foreign');
  await server.createUser({ account: 'foreign', tenantId: 'foreign', codes: ['attach', 'attach_delete'] });
  const foreign = await server.signIn('foreign', 'foreign');
  const { id } = await upload('mine.txt');
  expect((await list({}, foreign)).total).toBe(0);
  expect(await server.get(attach.detail.path, { headers: foreign, query: { id } })).toMatchObject({ code: 404 });
  expect(await remove([id], { evenUsed: true }, foreign)).toMatchObject({ code: 404 });
  expect(await remove([id, '999999999999999999'])).toMatchObject({ code: 404 });
  expect(await server.get((await list({ ids: id })).records[0].link)).toMatchObject({ status: 200 });
});
