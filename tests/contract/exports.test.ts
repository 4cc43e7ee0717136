import { beforeAll, expect, test } from '@rstest/core';
import type { CellValue } from 'hucre/xlsx';
import type { TSchema } from 'typebox';
import { transfers } from '#plugins/transfers/contract';
import type { Crud } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { type FieldTraits, type ReferenceSource, traitsOf } from '#shared/fields';
import { escapeFormula } from '#shared/formats';
import { isEmpty, snakeCase } from '#shared/text';
import { typeOfField } from '../../src/server/data/schema/field-type.ts';
import type { TestServer } from '../support/test-server.ts';
import { sheetOf } from '../support/workbook.ts';
import { exportedScreens } from './census.ts';
import { contractServer } from './contract-server.ts';

let server: TestServer;
let headers: Record<string, string>;

type Row = Readonly<Record<string, unknown>>;
type Choices = ReadonlyMap<string, string>;

const screens = () => exportedScreens();

beforeAll(async () => {
  const contract = await contractServer();
  ({ server, headers } = contract);
  await contract.seeded();
}, 300_000);

const choices = new Map<string, Promise<Choices>>();

/** Reads the choices of a reference as the console does. */
function choicesOf(source: ReferenceSource, row: Row = {}): Promise<Choices> {
  const given = Object.fromEntries(Object.entries(source.inputFrom ?? {}).map(([name, field]) => [name, String(row[field])]));
  const key = JSON.stringify([source, given]);
  const read = async () => {
    const page: Record<string, string> = source.paged ? { current: '1', size: '100' } : {};
    const { data } = await server.get(source.path, { headers, query: { ...(source.input as Record<string, string>), ...page, ...given } });
    return new Map(flatten(Array.isArray(data) ? data : (data?.records ?? [])).map((row) => [String(row[source.value]), String(row[source.title])]));
  };
  const found = choices.get(key) ?? read();
  choices.set(key, found);
  return found;
}

const flatten = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flatten((row.children as readonly Row[] | undefined) ?? [])]);

/** Tables whose rows cannot be changed, and views of them; they are seeded with their references. */
const appendOnly = new Set(['ledger_posting', 'ledger_journal']);

/** Points the references of all rows of a screen at rows that exist; those whose choices depend on another field only after the others. */
async function fillReferences({ entity }: Crud, dependent: boolean): Promise<string[]> {
  const unfilled: string[] = [];
  if (appendOnly.has(entity.name)) return unfilled;
  const table = snakeCase(entity.name);
  const derived = await server.sql(`select column_name as name from information_schema.columns where table_name = '${table}' and is_generated = 'ALWAYS'`);
  const computed = new Set(derived.map(({ name }) => name));
  for (const [name, schema] of Object.entries(entity.fields)) {
    const source = traitsOf(schema as TSchema)?.reference;
    if (!source || (source.inputFrom !== undefined) !== dependent) continue;
    const others = Object.values(source.inputFrom ?? {}).map((field) => `${snakeCase(field)}::text as "${field}"`);
    const [row] = others.length > 0 ? await server.sql(`select ${others.join(', ')} from ${table} where is_deleted = 0 order by id desc limit 1`) : [];
    const [value] = [...(await choicesOf(source, row)).keys()].slice(-1);
    // A generated column of a department repeats the one that created the row.
    const column = computed.has(snakeCase(name)) ? 'create_dept' : snakeCase(name);
    if (value === undefined) unfilled.push(`${entity.name}.${name}`);
    else await server.sql(`update ${table} set ${column} = '${storedValue(schema as TSchema, value)}' where is_deleted = 0`);
  }
  return unfilled;
}

const storedValue = (schema: TSchema, value: string) => (typeOfField(schema).kind === 'json' ? JSON.stringify([value]) : value);

/** Returns the text that the console shows for one value; undefined if it shows the value itself. */
async function labelOf(traits: FieldTraits, value: string, row: Row): Promise<string | undefined> {
  if (traits.options) return traits.options.find(([key]) => String(key) === value)?.[1][0];
  if (traits.reference) return (await choicesOf(traits.reference, row)).get(value);
  if (traits.dictionary === undefined) return undefined;
  const [path, code] = traits.dictionary.startsWith('biz/') ? ['dict-biz', traits.dictionary.slice(4)] : ['dict', traits.dictionary];
  const { data } = await server.get(`/api/blade-system/${path}/dictionary`, { headers, query: { code } });
  return (data as { dictKey: unknown; dictValue: string }[]).find(({ dictKey }) => String(dictKey) === value)?.dictValue;
}

const valuesOf = (value: unknown) => (isEmpty(value) ? [] : Array.isArray(value) ? value.map(String) : [String(value)]);

async function exported(crud: Crud, id: string): Promise<CellValue[][]> {
  const { data, msg } = await server.post(crud.export.path, { format: 'xlsx', ids: [id] }, { headers });
  if (!data) throw new Error(`${crud.export.path}: ${msg}`);
  await expect.poll(async () => (await server.get(transfers.detail.path, { headers, query: { id: data.id } })).data.state, { timeout: 20_000 }).toBe('done');
  const { data: found } = await server.get(transfers.link.path, { headers, query: { id: data.id } });
  return sheetOf((await server.get(found.link)).body.bytes);
}

/** Compares the exported cells of one row with the labels that the console shows. */
async function problemsOf(name: string, crud: Crud): Promise<string[]> {
  const problems: string[] = [];
  const table = snakeCase(crud.entity.name);
  const topLevelFirst = Object.hasOwn(crud.entity.fields, 'parentId') ? 'parent_id,' : '';
  const [stored] = await server.sql(`select id::text as id from ${table} where is_deleted = 0 order by ${topLevelFirst} id desc limit 1`);
  if (!stored) return [`${name} has no row`];
  const [[...titles] = [], cells = []] = await exported(crud, String(stored.id));
  const { data: row } = await rowOf(crud, String(stored.id));
  for (const [field, schema] of Object.entries(crud.entity.fields)) {
    const traits = traitsOf(schema as TSchema);
    const index = titles.indexOf(traits?.title[0] ?? '');
    if (!traits || index < 0 || isSecret(schema as TSchema) || !row) continue;
    const labels: string[] = [];
    for (const value of valuesOf(
      traits.comma
        ? String(row[field] ?? '')
            .split(',')
            .filter(Boolean)
        : row[field],
    )) {
      const label = await labelOf(traits, value, row);
      if (label !== undefined) labels.push(label);
      else if (traits.reference) problems.push(`${name}.${field}: ${value} has no label`);
    }
    const cell = String(cells[index] ?? '').replace(/ \[\w+\]$/, '');
    const expected = escapeFormula(labels.join('、'));
    if (labels.length > 0 && cell !== expected) problems.push(`${name}.${field}: ${cells[index]} instead of ${expected}`);
  }
  return problems;
}

async function rowOf(crud: Crud, id: string) {
  if (crud.detail) return server.get(crud.detail.path, { headers, query: { id } });
  const { data } = await server.get(crud.list.path, { headers, query: { ids: id } });
  return { data: (data?.records ?? []).find((row: Row) => row.id === id) as Row | undefined };
}

test('every exported list has the labels that the console shows in place of ids, keys and codes', async () => {
  expect(screens().length).toBeGreaterThan(25);
  const unfilled: string[] = [];
  for (const dependent of [false, true]) for (const { crud } of screens()) unfilled.push(...(await fillReferences(crud, dependent)));
  expect(unfilled.join('\n')).toBe('');
  const problems: string[] = [];
  for (const { name, crud } of screens()) problems.push(...(await problemsOf(name, crud)));
  expect(problems.join('\n')).toBe('');
}, 300_000);
