import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { attach, fileLink, filePath, keepAttachments, releaseAttachments, removeAttachments, renameAttachment, statFile } from '#plugins/storage/contract';
import { crudRoutes } from '#server';
import { crud, entity, menu } from '#shared/contract';
import { Attachment, Id, Nullable, RichText, Text } from '#shared/fields';
import { files } from '#shared/files';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import keptBefore from '../../../../src/server/platform/files/migrations/0004-kept-before.sql';
import { Processors } from '../../../../src/server/platform/jobs/processors.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const Deed = entity('deed', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  papers: Nullable(Attachment({ title: ['附件', 'Papers'] })),
  body: Nullable(RichText({ title: ['正文', 'Body'] })),
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
    setup: ({ db }) => ({ routes: [crudRoutes(deed, repositoryOf(db, Deed))] }),
  }),
};

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
let jobs: Processors;
const probe = defineServerPlugin({
  id: 'probe',
  title: ['探针', 'Probe'],
  setup({ get }) {
    jobs = get(Processors);
    return {};
  },
});
let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'storage', deeds, probe] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const upload = async (name: string, content: string | Uint8Array = name, fields: Record<string, string> = {}, as = headers) =>
  (await server.upload(files.upload.path, { name, content, fields }, { headers: as })).data;
const list = async (query: Record<string, string> = {}, as = headers) => (await server.get(attach.list.path, { headers: as, query })).data;
const remove = (ids: readonly string[], more: object = {}, as = headers) => server.post(removeAttachments.path, { ids, ...more }, { headers: as });

test('an uploaded file is found by name and kind, with a link that opens it', async () => {
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

test('a file is uploaded under a given name, renamed, returned with its path and link, and deleted with others or not at all', async () => {
  const { data } = await server.upload(files.uploadByName.path, { name: 'IMG_0001.png', content: png, fields: { fileName: '../门头.png' } }, { headers });
  expect(data).toMatchObject({ originalName: '门头.png', size: png.length });
  expect(await server.upload(files.uploadByName.path, { name: 'IMG_0001.png', content: png }, { headers })).toMatchObject({ status: 400 });
  const byName = async (path: string, fileName = data.name) => (await server.get(path, { headers, query: { fileName } })).data;
  const path = await byName(filePath.path);
  expect(await server.get(path)).toMatchObject({ status: 404 });
  const link = await byName(fileLink.path);
  expect(link.startsWith(path)).toBe(true);
  expect(await server.get(link)).toMatchObject({ status: 200 });
  expect(await byName(fileLink.path, '0'.repeat(32))).toBe(null);

  const rename = (id: string, originalName: string, as = headers) => server.post(renameAttachment.path, { id, originalName }, { headers: as });
  expect((await rename(data.id, '新门头.png')).data).toMatchObject({ id: data.id, originalName: '新门头.png', name: data.name });
  expect(await rename(data.id, ' ')).toMatchObject({ status: 400 });
  expect(await rename('999999999999999999', 'x')).toMatchObject({ status: 404 });

  await server.createUser({ account: 'clerk', codes: [] });
  const clerk = await server.signIn('clerk');
  const own = await upload('own.txt', 'own', {}, clerk);
  const second = await upload('second.txt', 'second', {}, clerk);
  const removeAll = (names: readonly string[], as = headers) => server.post(files.removeMany.path, { fileNames: names.join(',') }, { headers: as });
  expect(await removeAll([own.name, data.name], clerk)).toMatchObject({ code: 404 });
  expect(await removeAll([own.name, '0'.repeat(32)], clerk)).toMatchObject({ code: 404 });
  expect(await server.get(own.link)).toMatchObject({ status: 200 });
  expect(await removeAll([own.name, second.name, own.name], clerk)).toMatchObject({ code: 200 });
  expect([await server.get(own.link), await server.get(second.link)]).toMatchObject([{ status: 404 }, { status: 404 }]);
  expect(await removeAll([data.name])).toMatchObject({ code: 200 });
});

test('an attachment with references is deleted only after a confirmation', async () => {
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

test('internal files, incomplete uploads and files of other tenants are not listed', async () => {
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

test('old uploads without references are swept, tenant by tenant, after a dry run', async () => {
  const sweep = (tenantId: string, params: object) =>
    jobs.of('storage:sweep-orphans')?.run({ tenantId, params: JSON.stringify(params), signal: new AbortController().signal, log: () => undefined } as never);
  await sweep('000000', { days: 7 });
  const [held, drawn, dropped, forgotten, lost] = [
    await upload('held.txt'),
    await upload('drawn-in.png', png, { isPublic: 'true' }),
    await upload('dropped.txt'),
    await upload('forgotten.txt', 'twelve bytes'),
    await upload('lost.txt', 'four'),
  ];
  const before = await upload('lasting.txt');
  const [chosen, released] = [await upload('chosen.txt'), await upload('released.txt')];
  const mark = ({ path }: { path: string }, ids: readonly string[]) => server.post(path, { ids }, { headers });
  expect(await mark(keepAttachments, [chosen.id, released.id])).toMatchObject({ code: 200 });
  expect(await mark(releaseAttachments, [released.id])).toMatchObject({ code: 200 });
  expect(await mark(keepAttachments, [chosen.id, '999999999999999999'])).toMatchObject({ code: 404 });
  expect((await list({ isKept_equal: 'true' })).records.map(({ originalName }: { originalName: string }) => originalName)).toEqual(['chosen.txt']);
  const named = (fields: object) => server.post(deed.submit.path, { name: '契约', ...fields }, { headers });
  await named({ papers: [`${held.link}#${held.id}/held.txt`], body: `<p><img src="${drawn.link}"></p>` });
  const { data: gone } = await named({ papers: [`${dropped.link}#${dropped.id}/dropped.txt`] });
  await server.sql("update stored_file set create_time = now() - interval '40 days'");
  const young = await upload('young.txt');
  await server.sql(`update stored_file set expires_at = now() + interval '1 day' where id = ${before.id}`);
  await server.post(deed.remove.path, { ids: [gone.id] }, { headers });

  const names = async () => (await list({ size: '200' })).records.map(({ originalName }: { originalName: string }) => originalName);
  const all = await names();
  const dry = String(await sweep('000000', { days: 30, dry: true }));
  expect(await names()).toEqual(all);
  const [, count, bytes] = /^dry: (\d+) files, (\d+) bytes$/.exec(dry) ?? [];
  expect(Number(count)).toBeGreaterThanOrEqual(3);
  expect(Number(bytes)).toBeGreaterThanOrEqual(16);
  expect(await sweep('nobody', { days: 30 })).toBe('0 files, 0 bytes');
  expect(await sweep('000000', { days: 3000 })).toBe('0 files, 0 bytes');
  expect(await sweep('000000', { days: 30 })).toBe(`${count} files, ${bytes} bytes`);
  const left = await names();
  expect(left).toEqual(expect.arrayContaining(['held.txt', 'drawn-in.png', 'dropped.txt', 'young.txt', 'chosen.txt']));
  expect(left).not.toContain('released.txt');
  expect(left).toHaveLength(all.length - Number(count));
  expect([await server.get(forgotten.link), await server.get(lost.link)]).toMatchObject([{ status: 404 }, { status: 404 }]);
  expect(await server.get(young.link)).toMatchObject({ status: 200 });

  // A record that was deleted long ago cannot be restored.
  await server.sql(`update deed set update_time = now() - interval '40 days' where id = ${gone.id}`);
  expect(await sweep('000000', {})).toMatch(/^1 files/);
  expect(await names()).not.toContain('dropped.txt');
});

test('files from before the introduction of marks are never swept', async () => {
  const [before, after] = [await upload('before.txt'), await upload('after.txt')];
  await server.sql(`update stored_file set create_time = now() - interval '40 days' where id in (${before.id}, ${after.id})`);
  await server.sql("update schema_migration set applied_at = now() - interval '39 days' where name = '0081-file-kept.sql'");
  await server.sql(`update stored_file set create_time = now() - interval '38 days' where id = ${after.id}`);
  await server.db.asPlatform('an older deployment is brought up to date', () => server.db.script(keptBefore));
  const kept = (await list({ isKept_equal: 'true', size: '200' })).records.map(({ originalName }: { originalName: string }) => originalName);
  expect(kept).toContain('before.txt');
  expect(kept).not.toContain('after.txt');
  await jobs.of('storage:sweep-orphans')?.run({ tenantId: '000000', params: '', signal: new AbortController().signal, log: () => undefined } as never);
  expect([(await list({ ids: before.id })).total, (await list({ ids: after.id })).total]).toEqual([1, 0]);
});

test('the references of every one of many attachments are found', async () => {
  const rows = await server.sql(`insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id, stage)
    select '000000', md5('many ' || n), 'disk', 'many.txt', 'text/plain', 1, 'upload', 1, 'kept' from generate_series(1, 250) n returning id::text as id, key`);
  const linked = [rows[0], rows[249]].map((row) => `/api/files?key=${row?.key}#${row?.id}/many.txt`);
  await server.post(deed.submit.path, { name: '众多', papers: linked }, { headers });
  expect(await remove(rows.map(({ id }) => String(id)))).toMatchObject({ code: 409, msg: '附件被 2 条记录引用' });
});
