import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { escapeFormula } from '#shared/formats';
import { cellOf, columnsOf, parseCell } from '../../../../src/plugins/transfers/server/sheets/cells.ts';
import { sheetRows } from '../../../../src/plugins/transfers/server/sheets/sheet-reader.ts';
import { openTestServer, type Reply, type TestServer } from '../../../support/test-server.ts';
import { openSheet, sheetOf, workbookOf } from '../../../support/workbook.ts';
import { Ware, ware, warePlugin } from './ware-plugin.ts';

let server: TestServer;
let headers: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'marquee-sheets-'));

beforeAll(async () => {
  server = await openTestServer({ plugins: [warePlugin, 'settings', 'transfers'], timeScale: 8 });
  headers = await server.signIn();
});
beforeEach(async () => void (await server.sql('truncate ware')));
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const english = () => ({ ...headers, 'accept-language': 'en' });
const add = (count: number, tenant = '000000') =>
  server.sql(`insert into ware (tenant_id, name, kind, price, pieces, opens_at, key)
    select '${tenant}', 'ware ' || n, n % 2 + 1, n * 150, n % 7, case when n % 3 = 0 then null else timestamptz '2026-01-31 08:00:00+08' end, 'hidden' from generate_series(1, ${count}) n`);

/** Returns the file of a finished transfer. */
async function fetched({ data }: Reply, part = 'result', as = headers): Promise<Reply> {
  const { data: found } = await server.get(transfers.link.path, { headers: as, query: { id: data.id, part } });
  return server.get(found.link);
}

async function ended(id: string, as = headers): Promise<Reply> {
  for (let tries = 0; tries < 200; tries += 1) {
    const reply = await server.get(transfers.detail.path, { headers: as, query: { id } });
    if (!['queued', 'running'].includes(reply.data.state)) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the transfer does not end');
}

const lines = (reply: Reply) =>
  reply.body.bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n');

const preview = (content: string | Uint8Array, as = headers) => server.upload(ware.importPreview.path, { name: 'wares.csv', content }, { headers: as });

async function imported(content: string | Uint8Array, mode: 'all' | 'good', as = headers): Promise<Reply> {
  const { data, msg } = await preview(content, as);
  if (!data) throw new Error(msg);
  const reply = await server.post(ware.import.path, { fileId: data.fileId, mapping: data.mapping, mode }, { headers: as });
  return ended(reply.data.id, as);
}

const stored = async () => (await server.sql('select count(*)::integer as rows from ware where is_deleted = 0'))[0]?.rows;

const today = async () => (await server.sql("select to_char(now(), 'YYYY-MM-DD') as day"))[0]?.day;

test('an export is the filtered and sorted list with display texts, with its columns in the requested order', async () => {
  await add(20);
  const reply = await server.post(
    ware.export.path,
    { format: 'csv', query: { kind_equal: 2, ascs: 'name' }, fields: ['kind', 'name', 'price', 'opensAt'] },
    { headers },
  );
  expect(reply.data).toMatchObject({ state: 'done', kind: 'export', title: '货品', progress: 10, total: 10, fileName: `货品_类别-乙_${await today()}.csv` });
  const file = await fetched(reply);
  expect(file.body.bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(lines(file).slice(0, 3)).toEqual(['类别,名称,单价,上架时间', '乙,ware 1,1.5,2026-01-31 08:00:00', '乙,ware 11,16.5,2026-01-31 08:00:00']);
  expect(lines(file)).toHaveLength(12);
  expect(lines(file)[11]).toBe('【合计，导入时忽略】,,150,');
  const inEnglish = await server.post(ware.export.path, { format: 'csv', fields: ['kind', 'name'] }, { headers: english() });
  expect(lines(await fetched(inEnglish))[0]).toBe('Kind,Name');
});

test('chosen rows alone are exported, and secrets never', async () => {
  await add(5);
  const rows = await server.sql("select id::text as id from ware where name in ('ware 2', 'ware 4')");
  const reply = await server.post(ware.export.path, { format: 'csv', ids: rows.map(({ id }) => id) }, { headers });
  const file = lines(await fetched(reply));
  expect(file).toHaveLength(4);
  expect(file[3]).toContain('合计');
  expect(file.join('\n')).not.toContain('hidden');
  expect(file[0]).not.toContain('密钥');
  expect(await server.post(ware.export.path, { format: 'csv', fields: ['key'] }, { headers })).toMatchObject({ status: 400 });
  expect(await server.post(ware.export.path, { format: 'csv', query: { key_equal: 'x' } }, { headers })).toMatchObject({ status: 400 });
});

test('nothing an operator typed is run by a spreadsheet', async () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '-\n']) expect(escapeFormula(text)).toBe(`'${text}`);
  for (const text of ['-', '=', '', 'a-1', '1=1']) expect(escapeFormula(text)).toBe(text);
  await server.sql(`insert into ware (tenant_id, name, pieces) values ('000000', '=HYPERLINK("http://x","a")', 1)`);
  const csv = await fetched(await server.post(ware.export.path, { format: 'csv', fields: ['name', 'pieces'] }, { headers }));
  expect(lines(csv)[1]).toBe(`"'=HYPERLINK(""http://x"",""a"")",1`);
  const sheet = await sheetOf((await fetched(await server.post(ware.export.path, { format: 'xlsx', fields: ['name'] }, { headers }))).body.bytes);
  expect(sheet[1]).toEqual([`'=HYPERLINK("http://x","a")`]);
});

test('a sheet holds numbers as numbers and moments as dates', async () => {
  await add(1);
  const file = await fetched(await server.post(ware.export.path, { format: 'xlsx', fields: ['name', 'price', 'pieces', 'opensAt'] }, { headers }));
  expect(file.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(await sheetOf(file.body.bytes)).toEqual([
    ['名称', '单价', '件数', '上架时间'],
    ['ware 1', 1.5, 1, new Date('2026-01-31T08:00:00Z')],
    ['【合计，导入时忽略】', 1.5],
  ]);
});

test('every row is exported once, with any sort and any number of equal or empty values', async () => {
  await add(2500);
  for (const query of [{ ascs: 'opens_at' }, { descs: 'opens_at' }, { ascs: 'pieces', descs: 'name' }, { descs: 'pieces' }, {}]) {
    const file = lines(await fetched(await server.post(ware.export.path, { format: 'csv', fields: ['name'], query }, { headers })));
    expect(new Set(file.slice(1)).size, JSON.stringify(query)).toBe(2500);
    expect(file).toHaveLength(2501);
  }
});

test('viewing a page does not include exporting it, and tenants never get rows of each other', async () => {
  await add(3);
  await server.createTenant('rivals');
  await add(2, 'rivals');
  await server.createUser({ account: 'looker', codes: ['ware'], tenantId: 'rivals' });
  await server.createUser({ account: 'blind', codes: ['ware_export'], tenantId: 'rivals' });
  await server.createUser({ account: 'taker', codes: ['ware', 'ware_export'], tenantId: 'rivals' });
  const as = async (account: string) => ({ headers: await server.signIn(account, 'rivals') });
  expect(await server.post(ware.export.path, { format: 'csv' }, await as('looker'))).toMatchObject({ status: 403 });
  expect(await server.post(ware.export.path, { format: 'csv' }, await as('blind'))).toMatchObject({ status: 403 });
  const taker = await as('taker');
  const reply = await server.post(ware.export.path, { format: 'csv', fields: ['name'] }, taker);
  expect(lines(await fetched(reply, 'result', taker.headers))).toHaveLength(3);
  expect(await server.get(transfers.detail.path, { headers, query: { id: reply.data.id } })).toMatchObject({ status: 404 });
  expect(await server.get(transfers.link.path, { ...(await as('looker')), query: { id: reply.data.id } })).toMatchObject({ status: 404 });
  expect((await server.get(transfers.list.path, await as('looker'))).data).toEqual([]);
  expect((await server.get(transfers.problems.path, { ...(await as('looker')), query: { id: reply.data.id } })).data).toEqual([]);
});

test('a long export continues after the answer, shows its progress and can be cancelled, retried and removed', async () => {
  await server.sql("insert into param (param_name, param_key, param_value) values ('rows', 'export.rowsWaitedFor', '1000')");
  await add(6000);
  const { data } = await server.post(ware.export.path, { format: 'xlsx' }, { headers });
  expect(data).toMatchObject({ total: 6000, fileName: null });
  expect(['queued', 'running']).toContain(data.state);
  expect(await server.post(transfers.remove.path, { ids: [data.id] }, { headers })).toMatchObject({ status: 409 });
  expect((await server.post(transfers.cancel.path, { id: data.id }, { headers })).data).toMatchObject({ state: 'cancelled' });
  const left = await server.sql("select count(*)::integer as rows from stored_file where size = 0 or (purpose = 'transfer' and expires_at is null)");
  expect(left).toEqual([{ rows: 0 }]);
  await server.post(transfers.retry.path, { id: data.id }, { headers });
  expect((await ended(data.id)).data).toMatchObject({ state: 'done', progress: 6000 });
  expect(await server.post(transfers.remove.path, { ids: [data.id] }, { headers })).toMatchObject({ status: 200 });
  expect(await server.get(transfers.detail.path, { headers, query: { id: data.id } })).toMatchObject({ status: 404 });
  await server.sql("delete from param where param_key = 'export.rowsWaitedFor'");
});

test('transfers of a dead process are resumed, and fail after repeated crashes', async () => {
  await add(10);
  const begun = (attempts: number) =>
    server.sql(`insert into transfer (tenant_id, kind, target, title_zh, title_en, owner_id, language, request, state, runner, lease_until, attempts)
      select '000000', 'export', '${ware.export.path}', '货品', 'Wares', id, 'zh', '{"format":"csv"}', 'running', 'a dead process', now() - interval '1 minute', ${attempts}
      from user_account where account = 'admin' and tenant_id = '000000' returning id::text as id`);
  const [[once], [often]] = [await begun(1), await begun(3)];
  // The next server that polls takes it.
  await server.post(ware.export.path, { format: 'csv' }, { headers });
  expect((await ended(String(once?.id))).data).toMatchObject({ state: 'done', progress: 10 });
  expect((await ended(String(often?.id))).data).toMatchObject({ state: 'failed', message: '任务多次中断，请重试' });
});

test('a template lists the fields of a form, and its values are read as intended', async () => {
  const { data } = await server.get(ware.importTemplate.path, { headers });
  const { bytes } = (await server.get(data.link)).body;
  expect(await sheetOf(bytes)).toEqual([
    ['名称*', '类别', '单价', '件数*', '上架时间', '密钥'],
    ['【示例行，导入时忽略】名称', '甲', 0, 1, '2026-01-31 08:00:00', '******'],
  ]);
  const { cells, columns, dataValidations, freezePane } = await openSheet(bytes);
  expect(freezePane).toMatchObject({ rows: 1 });
  expect(columns?.map(({ width }) => width)).toEqual([16, 16, 16, 16, 16, 16]);
  expect(cells?.get('0,0')).toMatchObject({
    style: { font: { bold: true, color: { rgb: 'C7342F' } } },
    comment: { text: '必填\n最多 64 个字符' },
  });
  expect(cells?.get('0,1')).toMatchObject({ style: { font: { bold: true } }, comment: { text: '选填\n可选值：甲、乙' } });
  expect(cells?.get('1,0')).toMatchObject({ style: { font: { italic: true } } });
  expect(dataValidations).toEqual([expect.objectContaining({ type: 'list', range: 'B3:B1000', allowBlank: true, values: ['甲', '乙'] })]);
  const sheet = await workbookOf([
    ['名称*', '类别', '单价', '件数*', '上架时间'],
    ['椅子', '乙', 12.34, 3, new Date('2026-02-01T08:30:00Z')],
    ["'=1+1", 'first', '1,234.5', '4', '2026/2/3'],
  ]);
  expect((await imported(sheet, 'all')).data).toMatchObject({ state: 'done', good: 2, bad: 0 });
  expect(await server.sql("select name, kind, price::integer as price, pieces, opens_at = '2026-02-01 08:30:00+08' as at from ware order by id")).toEqual([
    { name: '椅子', kind: 2, price: 1234, pieces: 3, at: true },
    { name: '=1+1', kind: 1, price: 123450, pieces: 4, at: false },
  ]);
  const [{ owned } = {}] = await server.sql('select count(*)::integer as owned from ware where create_user is not null');
  expect(owned).toBe(2);
});

test('a preview has the field of each column and the errors of each row, and can be corrected', async () => {
  const { data } = await preview('Name,amount,类别\r\nchair,x,甲\r\n,2,丙\r\n', english());
  expect(data).toMatchObject({
    total: 2,
    columns: ['Name', 'amount', '类别'],
    mapping: [
      { column: 0, field: 'name' },
      { column: 2, field: 'kind' },
    ],
  });
  const mapping = [...data.mapping, { column: 1, field: 'pieces' }];
  const again = await server.post(ware.importMapping.path, { fileId: data.fileId, mapping }, { headers: english() });
  expect(again.data.rows).toEqual([
    { row: 2, cells: ['chair', 'x', '甲'], problems: [{ field: 'pieces', message: 'Pieces must be an integer' }] },
    {
      row: 3,
      cells: ['', '2', '丙'],
      problems: [
        { field: 'name', message: 'Name is required' },
        { field: 'kind', message: 'Kind is not one of the options' },
      ],
    },
  ]);
});

const someBad = '名称,件数\r\none,1\r\ntwo,many\r\nthree,3\r\none,4\r\n';

test('all or nothing leaves nothing, and says of each row why', async () => {
  const reply = await imported('名称,件数\r\none,1\r\ntwo,2\r\none,4\r\n', 'all');
  expect(reply.data).toMatchObject({ state: 'failed', good: 0, bad: 1, hasProblems: true, message: '1 行数据有误，未导入任何数据' });
  expect(await stored()).toBe(0);
  expect(await sheetOf((await fetched(reply, 'problems')).body.bytes)).toEqual([
    ['名称', '件数', '行号', '错误原因'],
    ['one', '4', 4, '名称已存在'],
  ]);
  expect((await imported(someBad, 'all')).data).toMatchObject({ state: 'failed', good: 0, bad: 2 });
  expect(await stored()).toBe(0);
});

test('valid rows are written, the others are returned for correction', async () => {
  const reply = await imported(someBad, 'good');
  expect(reply.data).toMatchObject({ state: 'done', good: 2, bad: 2, total: 4 });
  expect(await stored()).toBe(2);
  const problems = await sheetOf((await fetched(reply, 'problems')).body.bytes);
  expect(problems.slice(1)).toEqual([
    ['two', 'many', 3, '件数须为整数'],
    ['one', '4', 5, '名称已存在'],
  ]);
  const query = { id: reply.data.id };
  expect((await server.get(transfers.problems.path, { headers: english(), query })).data).toEqual([
    { row: 3, field: 'pieces', message: 'Pieces must be an integer' },
    { row: 5, field: 'name', message: expect.stringContaining('Name') },
  ]);
});

test('an interrupted import continues at its position', async () => {
  const content = `名称,件数\r\n${Array.from({ length: 1200 }, (_, index) => `w${index},1`).join('\r\n')}`;
  const { data } = await preview(content);
  await server.sql("insert into ware (tenant_id, name, pieces) select '000000', 'w' || n, 1 from generate_series(0, 499) n");
  const request = JSON.stringify({ fileId: data.fileId, mapping: data.mapping, mode: 'good' });
  const [row] =
    await server.sql(`insert into transfer (tenant_id, kind, target, title_zh, title_en, owner_id, language, request, state, runner, lease_until, progress, good)
    select '000000', 'import', '${ware.import.path}', '货品', 'Wares', id, 'zh', '${request}', 'running', 'a dead process', now() - interval '1 minute', 500, 500
    from user_account where account = 'admin' and tenant_id = '000000' returning id::text as id`);
  await server.post(ware.export.path, { format: 'csv' }, { headers });
  expect((await ended(String(row?.id))).data).toMatchObject({ state: 'done', good: 1200, bad: 0 });
  expect(await stored()).toBe(1200);
});

test('an import whose result was not stored is not repeated', async () => {
  await ended((await server.post(ware.export.path, { format: 'csv' }, { headers })).data.id);
  await server.sql(`create function refuse_result() returns trigger language plpgsql as $$ begin raise exception 'no result'; end $$`);
  await server.sql(
    `create trigger refuse_result before update on transfer for each row when (new.kind = 'import' and new.state = 'done') execute function refuse_result()`,
  );
  const { data } = await preview('名称,件数\r\none,1\r\ntwo,2\r\n');
  const started = await server.post(ware.import.path, { fileId: data.fileId, mapping: data.mapping, mode: 'all' }, { headers });
  expect([started.data.state, await stored()]).toEqual(['running', 2]);
  await server.sql('drop function refuse_result() cascade');
  await server.sql("update transfer set lease_until = now() - interval '1 minute' where state = 'running'");
  await server.post(ware.export.path, { format: 'csv' }, { headers });
  expect((await ended(started.data.id)).data).toMatchObject({ state: 'done', good: 2, bad: 0, total: 2 });
  expect(await stored()).toBe(2);
});

test('removing transfers that do not exist is answered with 404', async () => {
  expect(await server.post(transfers.remove.path, { ids: ['77'] }, { headers })).toMatchObject({ status: 404 });
});

test('Excel of China, semicolons and quotes are read', async () => {
  const gbk = Buffer.concat([
    Buffer.from([0xc3, 0xfb, 0xb3, 0xc6]),
    Buffer.from(';'),
    Buffer.from([0xbc, 0xfe, 0xca, 0xfd]),
    Buffer.from('\r\n"a;""b""\r\nc";2\r\n'),
  ]);
  const { data } = await preview(gbk);
  expect(data).toMatchObject({ columns: ['名称', '件数'], rows: [{ cells: ['a;"b"\r\nc', '2'] }] });
});

test('a file that is no sheet, too long or a zip bomb is refused', async () => {
  expect(await preview(Buffer.from('%PDF-1.7 not a sheet'))).toMatchObject({ status: 400, msg: '文件无法读取，请使用 CSV 或 XLSX 文件' });
  expect(await preview('名称,件数\r\n')).toMatchObject({ status: 400, msg: '文件中没有数据' });
  expect(await preview(Buffer.from('PK\u0003\u0004 broken'))).toMatchObject({ status: 400 });
  const long = join(folder, 'long.csv');
  writeFileSync(long, `名称\n${'x\n'.repeat(101)}`);
  const all = async () => {
    for await (const _ of sheetRows(long, { rows: 100, unpackedBytes: 1 }));
  };
  await expect(all()).rejects.toThrow('A file can have up to 100 rows.');
  const bomb = join(folder, 'bomb.xlsx');
  writeFileSync(bomb, await workbookOf(Array.from({ length: 60 }, (_, index) => [`${'0'.repeat(30_000)}${index}`])));
  expect(statSync(bomb).size).toBeLessThan(50_000);
  await expect(sheetRows(bomb, { rows: 100, unpackedBytes: 100_000 }).next()).rejects.toThrow('The file cannot be read');
  expect((await sheetRows(bomb, { rows: 100, unpackedBytes: 10_000_000 }).next()).done).toBe(false);
  const left = await server.sql(
    "select count(*)::integer as rows from stored_file where name = 'wares.csv' and create_time > now() - interval '2 seconds' and size > 300000",
  );
  expect(left).toEqual([{ rows: 0 }]);
});

test('users who can only add single rows cannot import', async () => {
  await server.createUser({ account: 'writer', codes: ['ware', 'ware_add'] });
  await server.createUser({ account: 'reader', codes: ['ware', 'ware_import'] });
  const writer = await server.signIn('writer');
  expect(await preview('名称,件数\r\na,1', writer)).toMatchObject({ status: 403 });
  const reader = await server.signIn('reader');
  const { data } = await preview('名称,件数\r\na,1', reader);
  expect(await server.post(ware.import.path, { fileId: data.fileId, mapping: data.mapping, mode: 'all' }, { headers: reader })).toMatchObject({ status: 403 });
  expect(await server.post(ware.import.path, { fileId: data.fileId, mapping: data.mapping, mode: 'all' }, { headers })).toMatchObject({ status: 404 });
});

test('a value survives its way through a sheet', () => {
  const columns = columnsOf(Ware.form.properties, 'zh');
  const values = { name: '@x', kind: 2, price: 199, pieces: 7, opensAt: '2026-01-31 08:00:00' };
  for (const column of columns.filter(({ name }) => name in values)) {
    const value = values[column.name as keyof typeof values];
    expect(parseCell(column, cellOf(column, value, 'zh'))).toBe(value);
  }
});

test('imported rows have a history that names the import, also those of a sheet in several chunks', async () => {
  const rows = Array.from({ length: 700 }, (_, index) => `ware ${index},${index + 1}`);
  expect((await imported(['名称,件数', ...rows, ''].join('\r\n'), 'all')).data).toMatchObject({ state: 'done', good: 700 });
  const [counted] = await server.sql(`select count(*)::integer as count, count(distinct record_id)::integer as records, min(action) as action, min(path) as path
    from record_change where entity = 'ware' and record_id in (select id from ware)`);
  expect(counted).toEqual({ count: 700, records: 700, action: 'imported', path: ware.import.path });
  const [{ id } = {}] = await server.sql("select id::text as id from ware where name = 'ware 1'");
  const { data } = await server.get(ware.history?.path ?? '', { headers, query: { id: String(id) } });
  expect(data.records).toMatchObject([{ action: 'imported', title: '导入', userName: '管理员', fields: { name: [null, 'ware 1'], pieces: [null, 2] } }]);
});

test('an import that is refused as a whole leaves no history', async () => {
  await imported('名称,件数\r\ntwin,1\r\ntwin,4\r\n', 'all');
  expect(await server.sql("select from record_change where fields -> 'name' ->> 1 = 'twin'")).toEqual([]);
});

test('the history of a record is exported with the labels that the console shows', async () => {
  const { data: row } = await server.post(ware.submit.path, { name: '=cup', kind: 1, price: 150, pieces: 3, key: 'hidden' }, { headers });
  await server.post(ware.submit.path, { id: row.id, kind: 2, price: 2500, opensAt: '2026-01-31 08:00:00' }, { headers });
  await server.post(ware.remove.path, { ids: row.id }, { headers });
  const path = ware.historyExport?.path ?? '';
  const reply = await server.post(path, { id: row.id, format: 'csv' }, { headers });
  expect(reply.data).toMatchObject({ state: 'done', kind: 'export', title: '货品-变更历史', fileName: `货品-变更历史_${row.id}.csv` });
  const file = lines(await fetched(reply));
  expect(file[0]).toBe('时间,操作人,操作,接口,字段,原值,新值');
  expect(file.slice(1).map((line: string) => line.split(',').slice(1).join(','))).toEqual([
    '管理员,删除,删除,,,',
    '管理员,修改,新增或修改,类别,甲,乙',
    '管理员,修改,新增或修改,单价,1.5,25',
    '管理员,修改,新增或修改,上架时间,,2026-01-31 08:00:00',
    "管理员,新增,新增或修改,名称,,'=cup",
    '管理员,新增,新增或修改,类别,,甲',
    '管理员,新增,新增或修改,单价,,1.5',
    '管理员,新增,新增或修改,件数,,3',
  ]);
  const sheet = await sheetOf((await fetched(await server.post(path, { id: row.id, format: 'xlsx' }, { headers: english() }))).body.bytes);
  expect(sheet[0]).toEqual(['Time', 'User', 'Action', 'Call', 'Field', 'From', 'To']);
  expect(await server.post(path, { id: '1', format: 'csv' }, { headers })).toMatchObject({ status: 404 });
});
