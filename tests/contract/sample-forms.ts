import type { TObject } from 'typebox';
import type { Call, Crud, Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import type { SampleValues } from '../kit/samples.ts';
import type { Reply, TestServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { firstRow, plugins, reference } from './samples.ts';
import { type GeneratedForm, validForm } from './valid-form.ts';

type Headers = Readonly<Record<string, string>>;
/** Calls that add rows of an entity. */
type AddingCalls = { readonly entity: Entity; readonly submit: Call };
type Submitted = Pick<Crud, 'submit'> | { readonly submit: Call };

/** Forms of new rows that are valid by the rules of their plugins, with the ids of existing rows where they refer to some. */
export class SampleForms {
  private readonly stated = new Map<string, SampleValues>();
  private readonly generated = new Map<string, Readonly<Record<string, unknown>>>();
  private readonly ids = new Map<string, string>();
  /** Screens whose form has been refused, which a test has reported. */
  private readonly refused = new Set<string>();
  private count = 0;

  private constructor(
    private readonly server: TestServer,
    private readonly headers: Headers,
  ) {}

  /** Adds the rows that the forms refer to. */
  static async on(server: TestServer, headers: Headers): Promise<SampleForms> {
    const forms = new SampleForms(server, headers);
    for (const { id, samples } of plugins)
      for (const [calls, form] of Object.entries(samples.forms ?? {}))
        forms.stated.set(`${id}.${calls}`, await forms.resolve(id, form, `the form of ${id}.${calls}`, (name) => !forms.isNumbered(id, name)));
    for (const { name, crud } of census().cruds) if (!forms.has(name)) forms.generated.set(name, await forms.requiredReferences(crud));
    return forms;
  }

  /**
   * Returns a valid form for the calls of this name in the contract of a plugin: `notice.notice`. `{n}` in its texts is a number that no other form has; a row that
   * it refers to is added for it alone if that row's form has such a number.
   */
  async of(name: string, { submit }: Submitted): Promise<Record<string, unknown>> {
    const stated = this.stated.get(name);
    if (!stated) return this.generatedForm(name, submit).form;
    const own = await this.resolve(name.split('.')[0] ?? '', stated, `the form of ${name}`);
    this.count += 1;
    return numbered(own, this.count) as Record<string, unknown>;
  }

  /** Returns true if the plugin has a form for these calls beside its tests. */
  has(name: string): boolean {
    return this.stated.has(name);
  }

  /** Returns true if a test has reported that the form is refused. */
  isRefused(name: string): boolean {
    return this.refused.has(name);
  }

  /** Adds a row with the form of a screen. A refusal fails the test that meets it first; for later tests the result is undefined. */
  async add(name: string, { submit }: Submitted, headers = this.headers, given?: Readonly<Record<string, unknown>>): Promise<Reply | undefined> {
    if (this.refused.has(name)) return undefined;
    const form = given ?? (await this.of(name, { submit }));
    const reply = await this.server.post(submit.path, form, { headers });
    if (reply.code === 200) return reply;
    this.refused.add(name);
    throw new Error(this.refusal(name, submit, form, reply));
  }

  private generatedForm(name: string, { input, reply }: Call): GeneratedForm {
    const { entity } = reply as { readonly entity?: string };
    const rules = census(() => true).entities.find((one) => one.name === entity)?.rules ?? [];
    return validForm(input as TObject, { rules }, this.generated.get(name));
  }

  private refusal(name: string, submit: Call, form: object, { code, msg, body }: Reply): string {
    const [id, calls = ''] = name.split('.');
    const field = body.field === undefined ? '' : ` (field ${body.field})`;
    const source = this.has(name) ? `The form of ${name} in samples.ts` : `The form that was generated from the schema of ${name}`;
    const missing = this.has(name) ? undefined : this.generatedForm(name, submit).missing;
    const hint = missing === undefined ? '' : ` No value was found that fits the pattern or format of ${missing}.`;
    const remedy = this.has(name) ? 'Correct it' : `State a whole valid form in tests/plugins/${id}/samples.ts: forms: { ${calls}: { … } }`;
    return `${source} is refused, code: ${code}, msg: ${msg}${field}.${hint} ${remedy}. Sent: ${JSON.stringify(form)}`;
  }

  private async resolve(plugin: string, values: SampleValues, subject: string, isResolved = (_name: string) => true): Promise<SampleValues> {
    const entries: [string, unknown][] = [];
    for (const [field, value] of Object.entries(values)) {
      const [, name] = (typeof value === 'string' && reference.exec(value)) || [];
      entries.push([field, name === undefined || !isResolved(name) ? value : await this.idOf(plugin, name, `${field} of ${subject}`)]);
    }
    return Object.fromEntries(entries);
  }

  /** Returns the id of a row for a reference of a plugin: one of its references, else one of another plugin, else the first row of the table of that name, else a new row. */
  private async idOf(plugin: string, name: string, subject: string): Promise<string> {
    const owner = ownerOf(plugin, name);
    const key = `${owner ?? ''} ${name}`;
    const id = this.ids.get(key) ?? (owner === undefined ? await this.rowOf(name) : await this.referenceOf(owner, name));
    if (id === undefined)
      throw new Error(
        `samples.ts of ${plugin}: $${name} in ${subject} names neither an entry of references nor a table with a row. ` +
          `Add references: { ${name}: { calls: '…', form: { … } } }, with the name of the calls that add one, such as 'base-data.advertiser'.`,
      );
    if (!this.isNumbered(plugin, name)) this.ids.set(key, id);
    return id;
  }

  /** Returns true for a reference whose form contains `{n}`: each form that names it refers to a row of its own. */
  private isNumbered(plugin: string, name: string): boolean {
    const owner = ownerOf(plugin, name);
    return owner !== undefined && Object.values(referenceForm(owner, name)?.form ?? {}).some((value) => typeof value === 'string' && value.includes('{n}'));
  }

  private async referenceOf(owner: string, name: string): Promise<string | undefined> {
    const found = referenceForm(owner, name);
    if (!found) return this.foundBy(owner, name);
    const { calls, submit } = found;
    if (!submit)
      throw new Error(
        `samples.ts of ${owner}: the reference ${name} names the calls "${calls}", and no contract has such calls with a submit. ` +
          `Those of another plugin are named with its id: 'base-data.advertiser'.`,
      );
    const form = await this.resolve(owner, found.form, `the reference ${name}`);
    this.count += 1;
    const { code, msg, data } = await this.server.post(submit.path, numbered(form, this.count), { headers: this.headers });
    if (code !== 200) throw new Error(`samples.ts of ${owner}: the reference ${name} is refused by ${calls}, code: ${code}, msg: ${msg}`);
    return String(data.id);
  }

  /** Returns the id that the statement of a reference finds. */
  private async foundBy(owner: string, name: string): Promise<string> {
    const statement = samplesOf(owner)?.references?.[name] as string;
    const [row] = await this.server.sql(statement);
    if (row?.id === undefined || row.id === null)
      throw new Error(`samples.ts of ${owner}: the statement of the reference ${name} finds no row on a new database: ${statement}`);
    return String(row.id);
  }

  /** Returns the first row of a table, or adds one where the table is empty and a screen can. */
  private async rowOf(name: string): Promise<string | undefined> {
    const [table] = await this.server.sql(`select to_regclass('${snakeCase(name)}') is not null as exists`);
    const found = name === 'admin' || table?.exists ? await firstRow(this.server, name) : undefined;
    if (found !== undefined) return found;
    const screen = screenOf(name);
    if (!screen) return undefined;
    const form = { ...(await this.of(screen.name, screen.calls)), ...(this.has(screen.name) ? {} : await this.requiredReferences(screen.calls)) };
    const { code, data } = await this.server.post(screen.calls.submit.path, form, { headers: this.headers });
    return code === 200 ? String(data.id) : undefined;
  }

  /** Returns ids for the required references of a form that is generated. */
  private async requiredReferences({ submit, entity }: AddingCalls): Promise<Record<string, string>> {
    const { properties = {}, required = [] } = submit.input as Partial<TObject> & { required?: string[] };
    const found: Record<string, string> = {};
    for (const name of required) {
      const { reference: source, multiple } = traitsOf(properties[name] as Entity['row']) ?? {};
      if (!source?.entity || source.value !== 'id' || multiple || source.entity === entity.name) continue;
      const key = ` ${source.entity}`;
      const id = this.ids.get(key) ?? (await this.rowOf(source.entity));
      if (id !== undefined) this.ids.set(key, id);
      if (id !== undefined) found[name] = id;
    }
    return found;
  }
}

const samplesOf = (plugin: string) => plugins.find(({ id }) => id === plugin)?.samples;

/** Returns the plugin whose samples describe a reference: the one that names it, else another. */
const ownerOf = (plugin: string, name: string): string | undefined =>
  [plugin, ...plugins.map(({ id }) => id)].find((id) => samplesOf(id)?.references?.[name] !== undefined);

/** Returns the form and the calls that add the row of a reference; undefined if a statement finds it. */
function referenceForm(owner: string, name: string): { readonly calls: string; readonly submit: Call | undefined; readonly form: SampleValues } | undefined {
  const source = samplesOf(owner)?.references?.[name];
  if (source === undefined || typeof source === 'string') return undefined;
  const [id = '', calls = ''] = source.calls.includes('.') ? source.calls.split('.') : [owner, source.calls];
  const found = plugins.find((one) => one.id === id)?.contract[calls] as { readonly submit?: Call } | undefined;
  return { calls: source.calls, submit: found?.submit, form: { ...samplesOf(id)?.forms?.[calls], ...source.form } };
}

/** Returns the calls of the first contract that add rows of an entity. */
function screenOf(entity: string): { readonly name: string; readonly calls: AddingCalls } | undefined {
  for (const { id, contract } of plugins)
    for (const [key, value] of Object.entries(contract)) {
      const calls = value as Partial<AddingCalls> | null;
      if (calls?.entity?.name === entity && calls.submit) return { name: `${id}.${key}`, calls: { entity: calls.entity, submit: calls.submit } };
    }
  return undefined;
}

/** Replaces `{n}` in the texts of a form by a number. */
const numbered = (form: SampleValues, number: number): SampleValues =>
  Object.fromEntries(Object.entries(form).map(([field, value]) => [field, typeof value === 'string' ? value.replaceAll('{n}', String(number)) : value]));
