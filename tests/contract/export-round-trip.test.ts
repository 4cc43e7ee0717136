import { beforeAll, expect, test } from '@rstest/core';
import type { CellValue } from 'hucre/xlsx';
import type { TSchema } from 'typebox';
import { plugins } from '#deployment/server';
import { transfers } from '#plugins/transfers/contract';
import type { Crud } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import type { TestServer } from '../support/test-server.ts';
import { sheetOf, workbookOf } from '../support/workbook.ts';
import { census, exportedScreens } from './census.ts';
import { contractServer } from './contract-server.ts';
import type { SampleForms } from './sample-forms.ts';

let server: TestServer;
let headers: Record<string, string>;
let forms: SampleForms;

const post = async (path: string, body: object) => {
  const { data, code, msg } = await server.post(path, body, { headers });
  if (code !== 200) throw new Error(`${path}: ${msg}`);
  return data;
};

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  forms = await contract.forms();
}, 300_000);

/** Lists the screens with both calls whose menu entry offers both buttons. */
function screens() {
  const menus = plugins.flatMap(({ plugin }) => plugin.menus ?? []);
  const offered = new Set(menus.filter(({ buttons = [] }) => buttons.includes('export') && buttons.includes('import')).map(({ code }) => code));
  const crudNames = new Map(census(() => true).cruds.map(({ name, crud }) => [crud, name]));
  return exportedScreens().flatMap(({ crud }) => {
    const name = crudNames.get(crud);
    return name !== undefined && crud.import && offered.has(crud.menu) ? [{ name, crud }] : [];
  });
}

async function ended(id: string) {
  const detail = async () => (await server.get(transfers.detail.path, { headers, query: { id } })).data;
  await expect.poll(async () => ['done', 'failed'].includes((await detail()).state), { timeout: 60_000 }).toBe(true);
  return detail();
}

async function exported(crud: Crud, id: string): Promise<CellValue[][]> {
  const { id: transfer } = await post(crud.export.path, { format: 'xlsx', ids: [id] });
  expect(await ended(transfer)).toMatchObject({ state: 'done' });
  const { data } = await server.get(transfers.link.path, { headers, query: { id: transfer } });
  return sheetOf((await server.get(data.link)).body.bytes);
}

/** Imports a sheet, to which only the secrets that no export contains are added; returns the reasons of rejected rows. */
async function imported(crud: Crud, [titles = [], ...rows]: CellValue[][], form: Readonly<Record<string, unknown>>): Promise<string[]> {
  const secrets = Object.entries(crud.entity.fields).filter(([name, schema]) => isSecret(schema as TSchema) && form[name] !== undefined);
  const content = await workbookOf([
    [...titles, ...secrets.map(([, schema]) => traitsOf(schema as TSchema)?.title[0] ?? '')],
    ...rows.map((cells) => [...titles.map((_, index) => cells[index] ?? null), ...secrets.map(([name]) => form[name] as string)]),
  ]);
  const { data, msg } = await server.upload(crud.importPreview.path, { name: 'rows.xlsx', content }, { headers });
  if (!data) return [msg];
  const { id } = await post(crud.import.path, { fileId: data.fileId, mapping: data.mapping, mode: 'all' });
  const { state, message } = await ended(id);
  if (state === 'done') return [];
  const { data: problems } = await server.get(transfers.problems.path, { headers, query: { id } });
  return [message, ...problems.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)];
}

type Choice = Readonly<Record<string, unknown>>;

/** Replaces the values of dictionaries and references by existing ones. */
async function withChoices(crud: Crud, form: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const changed: Record<string, unknown> = { ...form };
  for (const name of Object.keys(form)) {
    const schema = crud.entity.fields[name] as TSchema | undefined;
    const { dictionary, reference, multiple } = (schema && traitsOf(schema)) ?? {};
    const [path, code] = dictionary?.startsWith('biz/') ? ['dict-biz', dictionary.slice(4)] : ['dict', dictionary ?? ''];
    const found = async (from: string, query: Readonly<Record<string, string>>) => (await server.get(from, { headers, query })).data;
    if (dictionary !== undefined) changed[name] = String((await found(`/api/blade-system/${path}/dictionary`, { code }))[0].dictKey);
    if (!reference || !multiple) continue;
    const rows: readonly Choice[] = await found(reference.path, {});
    changed[name] = [String(rows[0]?.[reference.value])];
  }
  return changed;
}

/** Exports a row, removes it, imports the file and compares the export of the new row. */
async function problemsOf(name: string, crud: Crud): Promise<string[]> {
  const sample = await forms.of(name, crud);
  const form = forms.has(name) ? sample : await withChoices(crud, sample);
  const { id } = await post(crud.submit.path, form);
  const before = await exported(crud, id);
  await post(crud.remove.path, { ids: [id] });
  const table = crud.entity.name;
  const latest = async () => (await server.sql(`select max(id)::text as id from ${table} where is_deleted = 0`))[0]?.id;
  const earlier = await latest();
  const problems = await imported(crud, before, form);
  if (problems.length > 0) return problems.map((problem) => `${name}: ${problem}`);
  const added = await latest();
  if (added === earlier) return [`${name}: no row was added`];
  const after = await exported(crud, String(added));
  const setByServer = new Set(Object.values(crud.entity.fields).flatMap((schema) => (traitsOf(schema)?.form === false ? [traitsOf(schema)?.title[0]] : [])));
  const comparable = (sheet: CellValue[][]) => JSON.stringify(sheet.map((cells) => cells.filter((_, index) => !setByServer.has(String(before[0]?.[index])))));
  return comparable(after) === comparable(before) ? [] : [`${name}: ${comparable(after)} instead of ${comparable(before)}`];
}

test('every list with both calls imports its own exports unchanged', async () => {
  expect(screens().length).toBeGreaterThan(15);
  const problems: string[] = [];
  for (const { name, crud } of screens()) problems.push(...(await problemsOf(name, crud).catch((error: Error) => [`${name}: ${error.message}`])));
  expect(problems).toEqual([]);
}, 300_000);
