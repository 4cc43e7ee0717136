import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { testedPlugins } from '#tested-plugins';
import { typeOfField } from '../../src/server/data/schema/field-type.ts';
import { type SampleRow, type SampleValues, storedFileKey } from '../kit/samples.ts';
import { isChecked, isEveryPluginChecked } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { census, readingCalls } from './census.ts';
import { last, textMatching } from './valid-form.ts';

/** Samples of the plugins of this deployment, from the files beside their tests. */
export const plugins = testedPlugins.filter(({ isListed }) => isListed);

/** Ids of rows by `$` and name. */
type Ids = Map<string, string>;

/** A text that names a row. */
export const reference = /^\$(\w+)$/;
const references = /\$([a-z]\w*)/gi;

/** Returns the form that a plugin states beside its tests for the calls of this name, with its references as they are written. */
export function statedForm(name: string): SampleValues {
  const [id, calls = ''] = name.split('.');
  const form = plugins.find((plugin) => plugin.id === id)?.samples.forms?.[calls];
  if (!form) throw new Error(`No samples.ts has a form for ${name}.`);
  return form;
}

/** Returns the id of the oldest row of a table; undefined if it is empty. */
export async function firstRow(server: TestServer, table: string): Promise<string | undefined> {
  const statement =
    table === 'admin' ? "select id::text as id from user_account where account = 'admin'" : `select min(id)::text as id from ${snakeCase(table)}`;
  return ((await server.sql(statement))[0]?.id as string | null) ?? undefined;
}

/** Returns the values and exceptions for parameters of reads that the plugins state. */
export const readSamples = () => ({
  values: merged(plugins.map(({ samples: { reads } }) => reads?.values ?? {})),
  together: Object.assign({}, ...plugins.map(({ samples: { reads } }) => reads?.together ?? {})) as Readonly<Record<string, Readonly<Record<string, string>>>>,
  unaffected: Object.assign({}, ...plugins.filter(({ id }) => isChecked(id)).map(({ samples: { reads } }) => reads?.unaffected ?? {})) as Readonly<
    Record<string, string>
  >,
});

const merged = (all: readonly Readonly<Record<string, readonly string[]>>[]): Readonly<Record<string, readonly string[]>> => {
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...names].map((name) => [name, all.flatMap((one) => one[name] ?? [])]));
};

/** Returns the rows in an order in which each stands after those that it refers to. */
export function inOrder(rows: readonly SampleRow[]): SampleRow[] {
  const nameOf = ({ as, entity }: SampleRow) => as ?? entity;
  const names = new Set(rows.map(nameOf));
  const needs = (row: SampleRow) =>
    Object.values(row.values ?? {}).flatMap((value) => {
      const [, name] = (typeof value === 'string' && reference.exec(value)) || [];
      return name !== undefined && names.has(name) && name !== nameOf(row) ? [name] : [];
    });
  const ordered: SampleRow[] = [];
  let left = [...rows];
  while (left.length > 0) {
    const waiting = new Set(left.map(nameOf));
    const ready = left.filter((row) => !needs(row).some((name) => waiting.has(name)));
    if (ready.length === 0) throw new Error(`Samples refer to each other: ${[...waiting].join(', ')}`);
    ordered.push(...ready);
    left = left.filter((row) => !ready.includes(row));
  }
  return ordered;
}

/** Returns rows of the checked plugins for their lists without one in `samples.ts`. */
function unstated(stated: readonly SampleRow[], entities: ReadonlyMap<string, Entity>): SampleRow[] {
  if (isEveryPluginChecked) return [];
  const listed = new Set([...census().cruds.map(({ crud }) => crud.entity.name), ...readingCalls().flatMap(({ call }) => call.filterable?.name ?? [])]);
  return [...listed]
    .filter((name) => entities.has(name) && !stated.some(({ entity }) => entity === name))
    .map((entity) => ({ entity, values: obeyingRules(entities.get(entity)) }));
}

/** Returns the values of a row that obey the rules between its fields. */
function obeyingRules(entity: Entity | undefined): RowValues {
  const values = entity ? sampleValues(entity) : {};
  const ends = entity?.rules.flatMap((rule) => (rule.kind === 'before' ? [[rule.later, last(values[rule.later])]] : [])) ?? [];
  return Object.fromEntries(ends);
}

/** Inserts the sample rows of all plugins past all rules, so that each list of the deployment has something to filter. Returns their ids by `$` and name, with some existing ones. */
export async function seedRows(server: TestServer, entities: ReadonlyMap<string, Entity>): Promise<ReadonlyMap<string, string>> {
  const ids: Ids = new Map();
  for (const name of ['admin', 'datasource', 'region', 'role'])
    if (name === 'admin' || entities.has(name)) {
      const id = await firstRow(server, name);
      if (id !== undefined) ids.set(name === 'role' ? '$firstRole' : `$${name}`, id);
    }
  await server.sql(`insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id)
    values ('000000', '${storedFileKey}', 'local', '样例.png', 'image/png', 7, 'upload', ${ids.get('$admin')})`);
  const stated = plugins.flatMap(({ samples }) => samples.rows ?? []);
  for (const row of inOrder([...stated, ...unstated(stated, entities)])) {
    const entity = entities.get(row.entity);
    const values = entity && resolved(row.values ?? {}, ids, row.as ?? row.entity);
    if (!entity || !values) continue;
    const id = row.existing === undefined ? await seedRow(server, entity, values, ids) : ids.get(row.existing);
    if (id === undefined) throw new Error(`The sample ${row.as ?? row.entity} refers to ${row.existing}, which does not exist.`);
    ids.set(`$${row.as ?? row.entity}`, id).set(`$${row.entity} ${id}`, id);
    if (!ids.has(`$${row.entity}`)) ids.set(`$${row.entity}`, id);
  }
  await runStatements(
    server,
    plugins.flatMap(({ samples }) => samples.statements ?? []),
    ids,
  );
  return ids;
}

/** Runs the statements after which the sample rows can be edited. */
export const allowEdits = (server: TestServer, ids: ReadonlyMap<string, string>) =>
  runStatements(
    server,
    plugins.flatMap(({ samples }) => samples.beforeEdits ?? []),
    ids,
  );

async function runStatements(server: TestServer, statements: readonly string[], ids: ReadonlyMap<string, string>): Promise<void> {
  for (const statement of statements) {
    const missing = [...statement.matchAll(references)].map(([name]) => name).filter((name) => !ids.has(name));
    if (missing.length === 0) await server.sql(statement.replace(references, (name) => ids.get(name) as string));
    else if (isEveryPluginChecked) throw new Error(`A statement of the samples refers to ${missing.join(', ')}: ${statement}`);
  }
}

/** Replaces references by ids; undefined if one leads to a plugin that this deployment does not have. */
function resolved(values: RowValues, ids: ReadonlyMap<string, string>, name: string): RowValues | undefined {
  const missing = Object.values(values).filter((value) => typeof value === 'string' && reference.test(value) && !ids.has(value));
  if (missing.length > 0 && isEveryPluginChecked) throw new Error(`The sample ${name} refers to ${missing.join(', ')}, which does not exist.`);
  return missing.length > 0 ? undefined : Object.fromEntries(Object.entries(values).map(([field, value]) => [field, ids.get(String(value)) ?? value]));
}
/** Values of a row by field, as they are inserted. */
type RowValues = Readonly<Record<string, string | number | null>>;

async function seedRow(server: TestServer, entity: Entity, values: RowValues, ids: Ids): Promise<string> {
  const table = snakeCase(entity.name);
  const derived = await server.sql(`select column_name as name from information_schema.columns where table_name = '${table}' and is_generated = 'ALWAYS'`);
  const computed = new Set(derived.map(({ name }) => name));
  const owner = entity.owner === 'tenant' ? { tenantId: '000000' } : {};
  const insert = async (references: RowValues): Promise<string> => {
    const columns = Object.entries({ ...owner, ...sampleValues(entity), ...references, ...values }).filter(
      ([name]) => name !== 'version' && !computed.has(snakeCase(name)),
    );
    const names = columns.map(([name]) => `"${snakeCase(name)}"`).join(', ');
    const statement = `insert into ${table} (${names}) values (${columns.map(([, value]) => literal(value)).join(', ')}) returning id::text as id`;
    return String((await server.sql(statement))[0]?.id);
  };
  try {
    return await insert({}).catch(async (error) =>
      /foreign key/.test(reasonOf(error)) ? insert(await referencesOf(server, entity, ids)) : Promise.reject(error),
    );
  } catch (error) {
    throw new Error(`The sample row of ${entity.name} cannot be inserted: ${reasonOf(error)}. State its values in samples.ts beside the tests of the plugin.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

/** Returns ids of existing rows for the references of an entity whose table has foreign keys. */
async function referencesOf(server: TestServer, { fields }: Entity, ids: Ids): Promise<RowValues> {
  const found: [string, string][] = [];
  for (const [name, schema] of Object.entries(fields)) {
    const { entity, value } = traitsOf(schema)?.reference ?? {};
    if (entity === undefined || value !== 'id') continue;
    const id = ids.get(`$${entity}`) ?? (await firstRow(server, entity));
    if (id !== undefined) found.push([name, id]);
  }
  return Object.fromEntries(found);
}

const literal = (value: string | number | null) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);

/** Columns that the database fills. */
const filled = new Set(['id', 'createTime', 'status', 'isDeleted']);

function sampleValues({ fields }: Entity): RowValues {
  const entered = Object.entries(fields).filter(([name]) => !filled.has(name));
  return Object.fromEntries(entered.map(([name, schema]) => [name, sampleOf(name, schema as TSchema)]));
}

function sampleOf(name: string, schema: TSchema): string | number {
  const { options, suggestions: known } = traitsOf(schema) ?? {};
  const { kind, maxLength = 32 } = typeOfField(schema);
  const { pattern, format } = schema as TSchema & { readonly pattern?: string; readonly format?: string };
  const option = options?.[0]?.[0] ?? known?.[0]?.value;
  if (isSecret(schema)) return 'sealed';
  if (name === 'parentId') return 0;
  if (kind === 'json') return JSON.stringify([option ?? '7']);
  if (option !== undefined) return option;
  if (kind === 'id' || kind === 'whole' || kind === 'number') return 7;
  if (kind === 'flag') return 'true';
  if (kind === 'time') return '2026-02-03 04:05:06';
  if (kind === 'day') return '2026-02-03';
  if (kind === 'clock') return '04:05:06';
  const matching = pattern !== undefined && format === undefined ? textMatching(pattern, maxLength) : undefined;
  const text = matching ?? `${name} 样例`.slice(0, maxLength);
  // A row that its own list cannot answer would fail the tests of others that share the server.
  const isRefused = pattern !== undefined && !new RegExp(pattern, 'u').test(text);
  return isRefused && new RegExp(pattern, 'u').test('') ? '' : text;
}
