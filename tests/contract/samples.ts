import type { TSchema } from 'typebox';
import type { Call, Crud, Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { testedPlugins } from '#tested-plugins';
import { typeOfField } from '../../src/server/data/schema/field-type.ts';
import { sample } from '../kit/fixtures.ts';
import { type SampleRow, type SampleValues, storedFileKey } from '../kit/samples.ts';
import { isChecked, isEveryPluginChecked } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { census, readingCalls } from './census.ts';

/** Samples of the plugins of this deployment, from the files beside their tests. */
const plugins = testedPlugins.filter(({ isListed }) => isListed);

/** Ids of rows by `$` and name. */
type Ids = Map<string, string>;

const reference = /^\$(\w+)$/;
const references = /\$([a-z]\w*)/gi;

/** Forms of new rows that are valid by the rules of their plugins, with the ids of existing rows where they refer to some. */
export class SampleForms {
  private constructor(private readonly forms: ReadonlyMap<string, SampleValues>) {}

  /** Adds the rows that the forms refer to. */
  static async on(server: TestServer, headers: Record<string, string>): Promise<SampleForms> {
    const forms = new Map<string, SampleValues>();
    for (const { id, contract, samples } of plugins) {
      const found = new Map<string, string>();
      const resolve = async (values: SampleValues): Promise<SampleValues> => {
        const entries: [string, unknown][] = [];
        for (const [field, value] of Object.entries(values)) {
          const [, name] = (typeof value === 'string' && reference.exec(value)) || [];
          if (name !== undefined && !found.has(name)) found.set(name, await idFor(name));
          entries.push([field, name === undefined ? value : found.get(name)]);
        }
        return Object.fromEntries(entries);
      };
      const idFor = async (name: string): Promise<string> => {
        const source = samples.references?.[name];
        if (source === undefined) return firstRow(server, name);
        if (typeof source === 'string') return String((await server.sql(source))[0]?.id);
        const { submit } = contract[source.calls] as { submit: Call };
        const form = await resolve({ ...samples.forms?.[source.calls], ...source.form });
        const { code, msg, data } = await server.post(submit.path, form, { headers });
        if (code !== 200) throw new Error(`${id}.${source.calls} of samples.ts is refused, code: ${code}, msg: ${msg}`);
        return String(data.id);
      };
      for (const [calls, form] of Object.entries(samples.forms ?? {})) forms.set(`${id}.${calls}`, await resolve(form));
    }
    return new SampleForms(forms);
  }

  /** Returns a valid form for the calls of this name in the contract of a plugin: `notice.notice`. */
  of(name: string, { submit }: Pick<Crud, 'submit'> | { readonly submit: Call }): Record<string, unknown> {
    return { ...(this.forms.get(name) ?? sample(submit.input)) };
  }

  /** Returns true if the plugin has a form for these calls beside its tests. */
  has(name: string): boolean {
    return this.forms.has(name);
  }
}

/** Returns the form that a plugin states beside its tests for the calls of this name, with its references as they are written. */
export function statedForm(name: string): SampleValues {
  const [id, calls = ''] = name.split('.');
  const form = plugins.find((plugin) => plugin.id === id)?.samples.forms?.[calls];
  if (!form) throw new Error(`No samples.ts has a form for ${name}.`);
  return form;
}

async function firstRow(server: TestServer, table: string): Promise<string> {
  if (table === 'admin') return String((await server.sql("select id::text as id from user_account where account = 'admin'"))[0]?.id);
  return String((await server.sql(`select min(id)::text as id from ${snakeCase(table)}`))[0]?.id);
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
  return [...listed].filter((name) => entities.has(name) && !stated.some(({ entity }) => entity === name)).map((entity) => ({ entity }));
}

/** Inserts the sample rows of all plugins past all rules, so that each list of the deployment has something to filter. Returns their ids by `$` and name, with some existing ones. */
export async function seedRows(server: TestServer, entities: ReadonlyMap<string, Entity>): Promise<ReadonlyMap<string, string>> {
  const ids: Ids = new Map();
  for (const name of ['admin', 'datasource', 'region', 'role'])
    if (name === 'admin' || entities.has(name)) ids.set(name === 'role' ? '$firstRole' : `$${name}`, await firstRow(server, name));
  await server.sql(`insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id)
    values ('000000', '${storedFileKey}', 'local', '样例.png', 'image/png', 7, 'upload', ${ids.get('$admin')})`);
  const stated = plugins.flatMap(({ samples }) => samples.rows ?? []);
  for (const row of inOrder([...stated, ...unstated(stated, entities)])) {
    const entity = entities.get(row.entity);
    const values = entity && resolved(row.values ?? {}, ids, row.as ?? row.entity);
    if (!entity || !values) continue;
    const id = row.existing === undefined ? await seedRow(server, entity, values) : ids.get(row.existing);
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

async function seedRow(server: TestServer, entity: Entity, values: RowValues): Promise<string> {
  const table = snakeCase(entity.name);
  const derived = await server.sql(`select column_name as name from information_schema.columns where table_name = '${table}' and is_generated = 'ALWAYS'`);
  const computed = new Set(derived.map(({ name }) => name));
  const owner = entity.owner === 'tenant' ? { tenantId: '000000' } : {};
  const columns = Object.entries({ ...owner, ...sampleValues(entity), ...values }).filter(([name]) => name !== 'version' && !computed.has(snakeCase(name)));
  const names = columns.map(([name]) => `"${snakeCase(name)}"`).join(', ');
  const insert = `insert into ${table} (${names}) values (${columns.map(([, value]) => literal(value)).join(', ')}) returning id::text as id`;
  try {
    return String((await server.sql(insert))[0]?.id);
  } catch (error) {
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : (error as Error).message;
    throw new Error(`The sample row of ${entity.name} cannot be inserted: ${reason}. State its values in samples.ts beside the tests of the plugin.`, {
      cause: error,
    });
  }
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
  return `${name} 样例`.slice(0, maxLength);
}
