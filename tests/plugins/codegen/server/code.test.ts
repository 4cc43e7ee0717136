import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { type CodeFile, GeneratedCode, type PrototypeDraft } from '#plugins/codegen/contract';
import { codegenPlugin } from '../../../../src/plugins/codegen/server/plugin.ts';
import { Sources } from '../../../../src/plugins/codegen/server/sources.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const apiPath = '/api/blade-develop';
const folder = mkdtempSync(join(tmpdir(), 'marquee-codegen-'));
const contractPath = 'src/plugins/dict-biz/contract.ts';
let server: TestServer;
let headers: Record<string, string>;
let modelId: string;
let id: string;

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'codegen')?.migrations ?? {};
  writeFileSync(join(folder, 'plugins.manifest.json'), '{\n  "plugins": [\n    "dictionary"\n  ]\n}\n');
  mkdirSync(join(folder, 'src/plugins'), { recursive: true });
  server = await openTestServer({ plugins: ['dictionary', { plugin: codegenPlugin(new Sources(folder)), migrations }] });
  headers = await server.signIn();
  const [source] = (await get('datasource/list')).records;
  await post('model/adopt', { datasourceId: source.id, tables: ['dict_biz'] });
  modelId = (await get('model/list')).records[0].id;
  expect(await post('code/adopt', { ids: [modelId] })).toMatchObject({ code: 200, data: { added: 1 } });
  id = (await get('code/list')).records[0].id;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const get = async (call: string, query: Record<string, string> = {}) => (await server.get(`${apiPath}/${call}`, { headers, query })).data;
const post = (call: string, body: unknown) => server.post(`${apiPath}/${call}`, body, { headers });
const previewFiles = async (): Promise<CodeFile[]> => (await get('code/preview', { id })).files;
const onDisk = (file: string) => readFileSync(join(folder, file), 'utf8');
const contract = async () => (await previewFiles()).find((file) => file.path === contractPath) as CodeFile;
const editFields = async (change: (fields: Record<string, unknown>[]) => Record<string, unknown>[]) => {
  const fields = await get('model/model-prototype', { modelId });
  expect(await post('model-prototype/submit-list', change(fields))).toMatchObject({ code: 200 });
};

/** Returns the names in an archive, as its central directory lists them. */
const namesIn = (zip: Buffer): string[] => {
  const names: string[] = [];
  for (let at = zip.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46, 'latin1'))
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  return names;
};

test('the table matches the entity', async () => {
  expect(await compareTables(server.db, GeneratedCode)).toEqual([]);
});

test('an archive has the files under relative paths, and an OpenAPI description of the calls', async () => {
  const { data } = await post('code/zip', { ids: [id] });
  const text = Buffer.from(data.content, 'base64').toString('latin1');
  expect(data.name).toBe('dict-biz.zip');
  for (const name of [contractPath, 'src/plugins/dict-biz/server/migrations/0001-dict-biz.sql', 'openapi/dict-biz.json']) expect(text).toContain(name);
  const description = JSON.parse((await previewFiles()).find((file) => file.path === 'openapi/dict-biz.json')?.text ?? '');
  expect(Object.keys(description.paths)).toEqual(['list', 'detail', 'submit', 'remove'].map((call) => `/api/generated/dict-biz/${call}`));
});

test('a file that was not generated is a conflict whose markers have lines of their own', async () => {
  const ownFile = join(folder, contractPath);
  mkdirSync(dirname(ownFile), { recursive: true });
  writeFileSync(ownFile, '// Own file.');
  expect(await contract()).toMatchObject({
    state: 'conflict',
    text: expect.stringMatching(/^<<<<<<< by hand\n\/\/ Own file\.\n=======\n[\s\S]*\n>>>>>>> [^\n]*\n$/),
  });
  rmSync(ownFile);
});

test('manual changes are merged when the model changes, and a conflict is reported and not written', async () => {
  expect((await previewFiles()).every(({ state }) => state === 'new')).toBe(true);
  expect((await post('code/gen-code', { ids: [id], system: 'saber3' })).data.written).toEqual(
    expect.arrayContaining([contractPath, 'openapi/dict-biz.json', 'sql/dict-biz.sql']),
  );
  expect(JSON.parse(onDisk('plugins.manifest.json')).plugins).toEqual(['dictionary', 'dict-biz']);
  expect((await contract()).state).toBe('same');
  expect((await post('code/gen-code', { ids: [id] })).data.written).toEqual([]);

  const byHand = `// Kept by hand.\n${onDisk(contractPath)}`;
  writeFileSync(join(folder, contractPath), byHand);
  await editFields((fields) => fields.filter(({ jdbcName }) => jdbcName !== 'remark'));
  expect(await contract()).toMatchObject({ state: 'merged', current: byHand });
  expect(await post('code/gen-code', { ids: [id] })).toMatchObject({ code: 200 });
  expect(onDisk(contractPath)).toMatch(/^\/\/ Kept by hand\.\n/);
  expect(onDisk(contractPath)).not.toContain('remark');
  expect(onDisk('src/plugins/dict-biz/server/migrations/0002-dict-biz.sql')).toBe('alter table dict_biz_row drop column remark;\n');

  const conflicting = onDisk(contractPath).replace("title: ['Dict value', 'Dict value']", "title: ['名称', 'Name']");
  writeFileSync(join(folder, contractPath), conflicting);
  await editFields((fields) => fields.map((one) => (one.jdbcName === 'dict_value' ? { ...one, jdbcComment: '字典名称' } : one)));
  expect(await contract()).toMatchObject({ state: 'conflict', text: expect.stringContaining('<<<<<<< by hand') });
  expect(await post('code/gen-code', { ids: [id] })).toMatchObject({ status: 409, msg: expect.stringContaining(contractPath) });
  expect(onDisk(contractPath)).toBe(conflicting);
  expect(await post('code/gen-code', { ids: [id], keepMine: true })).toMatchObject({ code: 200 });
  expect(onDisk(contractPath)).toBe(conflicting);

  // The table itself gets another column and is read again.
  await server.sql('alter table dict_biz add column brand varchar(20)');
  const current: PrototypeDraft[] = await get('model/model-prototype', { modelId, current: 'true' });
  const forms = current.flatMap(({ id: known, ...one }) => (one.jdbcName === 'remark' ? [] : [known ? { ...one, id: known } : one]));
  expect(await post('model-prototype/submit-list', forms)).toMatchObject({ code: 200 });
  expect(await contract()).toMatchObject({ state: 'merged' });
  expect(await post('code/gen-code', { ids: [id] })).toMatchObject({ code: 200 });
  expect(onDisk(contractPath)).toMatch(/^\/\/ Kept by hand\.\n[\s\S]*title: \['名称', 'Name'\][\s\S]*brand: Nullable\(/);
  expect(onDisk('src/plugins/dict-biz/server/migrations/0003-dict-biz.sql')).toBe('alter table dict_biz_row add column brand varchar(20);\n');
});

test.each([
  ['a parent folder', { serviceName: '../evil' }, undefined],
  ['an address with a template in it', { apiPath: '/api/\u0024{x}' }, undefined],
  ['an SQL keyword as the table', { tableName: 'order' }, 'order 已被系统占用，请改名'],
  ['a plugin of this system', { serviceName: 'dictionary' }, 'dictionary 已被系统占用，请改名'],
  ['a page of this system', { tableName: 'dict' }, 'dict 已被系统占用，请改名'],
  ['a name that the generated files use', { tableName: 'text' }, 'text 已被系统占用，请改名'],
])('%s is refused', async (_, values, msg) => {
  const { data: copy } = await post('code/copy', { id });
  const { id: copyId, ...form } = copy;
  const reply = await post('code/submit', { ...form, id: copyId, ...values });
  if (msg) expect(await server.get(`${apiPath}/code/preview`, { headers, query: { id: copyId } })).toMatchObject({ status: 400, msg });
  else expect(reply).toMatchObject({ status: 400 });
  expect(copy.codeName).toMatch(/-copy$/);
  await post('code/remove', { ids: [copyId] });
});

test('a part of a plugin can be written first, and the other parts later', async () => {
  const { data: copy } = await post('code/copy', { id });
  const generate = async (system: string): Promise<string[]> => (await post('code/gen-code', { ids: [copy.id], system })).data.written;
  const pluginFolder = `src/plugins/${copy.serviceName}`;
  expect(await generate('openapi')).toEqual([`openapi/${copy.serviceName}.json`]);
  expect(JSON.parse(onDisk('plugins.manifest.json')).plugins).not.toContain(copy.serviceName);
  expect((await generate('console')).sort()).toEqual([
    `${pluginFolder}/console/DictBizRowCopyPage.tsx`,
    `${pluginFolder}/console/nouns.ts`,
    `${pluginFolder}/console/plugin.ts`,
    `${pluginFolder}/contract.ts`,
    `${pluginFolder}/menus.ts`,
  ]);
  expect(JSON.parse(onDisk('plugins.manifest.json')).plugins).toContain(copy.serviceName);
  const serverFiles = [
    `${pluginFolder}/server/migrations/0001-${copy.serviceName}.sql`,
    `${pluginFolder}/server/plugin.ts`,
    `tests/plugins/${copy.serviceName}/server/${copy.serviceName}.test.ts`,
  ];
  expect((await generate('server')).sort()).toEqual(serverFiles);
  expect(await generate('saber3')).toEqual([`sql/${copy.serviceName}.sql`]);
  await post('code/remove', { ids: [copy.id] });
});

test('a server without its sources writes nothing and answers with the requested archive', async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'codegen')?.migrations ?? {};
  const other = await openTestServer({ db: server.db, plugins: ['dictionary', { plugin: codegenPlugin(), migrations }] });
  try {
    const admin = await other.signIn();
    const generate = async (input: object) => {
      const { code, data } = await other.post(`${apiPath}/code/gen-code`, { ids: [id], ...input }, { headers: admin });
      expect({ code, written: data.written, name: data.download.name }).toEqual({ code: 200, written: [], name: 'dict-biz.zip' });
      return namesIn(Buffer.from(data.download.content, 'base64'));
    };
    const all = await generate({});
    expect(all).toEqual(expect.arrayContaining([contractPath, 'openapi/dict-biz.json', 'sql/dict-biz.sql']));
    for (const system of ['all', 'saber', 'saber3', 'sword', '']) expect(await generate({ system })).toEqual(all);
    const topFolders = async (system: string) => [
      ...new Set((await generate({ system })).map((name) => name.replace(/^src\/plugins\/dict-biz\//, '').split('/')[0])),
    ];
    expect(await topFolders('server')).toEqual(['contract.ts', 'menus.ts', 'server', 'tests']);
    expect(await topFolders('console')).toEqual(['contract.ts', 'menus.ts', 'console']);
    expect(await topFolders('openapi')).toEqual(['openapi']);
    expect(await topFolders('sql')).toEqual(['sql']);
    const unknown = (language: string) =>
      other.post(`${apiPath}/code/gen-code`, { ids: [id], system: 'vue2' }, { headers: { ...admin, 'accept-language': language } });
    const values = 'all, server, console, openapi, sql, saber, saber3, sword';
    expect(await unknown('zh')).toMatchObject({ status: 400, msg: `system 的可选值：${values}` });
    expect(await unknown('en')).toMatchObject({ status: 400, msg: `system must be one of: ${values}` });
    expect((await other.get(`${apiPath}/code/preview`, { headers: admin, query: { id } })).data.canWrite).toBe(false);
  } finally {
    await other.app.close();
  }
});

test('forms of other products are accepted if their fields have an equivalent, and otherwise refused with the names of our fields', async () => {
  const form = {
    modelId,
    codeName: '商品',
    serviceName: 'shop-goods',
    tableName: 'shop_goods',
    tablePrefix: 'shop_',
    pkName: 'id',
    packageName: 'org.example.shop',
    templateType: 'crud',
    baseMode: 2,
    wrapMode: 2,
    apiPath: '/api/shop/goods',
    webPath: '/shop/goods',
  };
  const added = await post('code/submit', form);
  expect(added).toMatchObject({ code: 200, data: { englishName: 'Shop goods', modelId } });
  expect(await post('code/submit', { ...form, id: added.data.id, codeName: '好商品' })).toMatchObject({ code: 200, data: { englishName: 'Shop goods' } });
  const other = { ...form, serviceName: 'shop-other', tableName: 'shop_other' };
  const ofTable = { ...other, modelId: undefined, datasourceId: '1', apiPath: '/Users/me/shop', webPath: '/Users/me/web' };
  expect(await post('code/submit', ofTable)).toMatchObject({ status: 400, msg: '请先由该表创建数据模型，再选择该数据模型（modelId）' });
  expect(await post('code/submit', { ...other, modelId: undefined })).toMatchObject({ status: 400, msg: '请选择数据模型' });
  expect((await post('code/submit', { ...other, apiPath: 'D:\\shop' })).msg).toContain('例如 /api/shop/goods');
  expect((await post('code/submit', { ...other, webPath: '/Users/me/shop/web' })).msg).toContain('例如 /shop/goods');
});

test('a plugin created from a model gets a table that no other plugin uses', async () => {
  const [source] = (await get('datasource/list')).records;
  const names = { codeName: '其他', englishName: 'Other', serviceName: 'other', tableName: 'dict_row', templateType: 'crud', menuGroup: 'base' };
  expect(await post('code/submit', { ...names, modelId, apiPath: '/api/other/rows', webPath: '/other/rows' })).toMatchObject({ code: 200 });
  await post('model/adopt', { datasourceId: source.id, tables: ['dict'] });
  const models: { id: string; modelTable: string }[] = (await get('model/list')).records;
  const ids = models.filter(({ modelTable }) => modelTable === 'dict').map((model) => model.id);
  expect(await post('code/adopt', { ids })).toMatchObject({ code: 200, data: { added: 1 } });
  const tables: { tableName: string }[] = (await get('code/list')).records;
  expect(tables.map(({ tableName }) => tableName)).toContain('dict_row_2');
});
