import { sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import type { FieldValues } from '#shared/condition';
import { type FieldTraits, type Option, traitsOf } from '#shared/fields';
import { isEmpty, type Language, type LocalizedText, localize } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { textColumn, visibleRows } from '../../data/repository/row-scope.ts';
import { tableOf } from '../../data/schema/table.ts';
import { withRowFields, withRows } from '../extensions/extended-schemas.ts';
import type { Principal } from '../principal/principal.ts';
import type { DictionaryLabels } from '../references/dictionary-labels.ts';
import type { ReferenceReaders } from '../references/reference-reader.ts';

type OptionTitles = ReadonlyMap<string, string>;

interface DisplayNameSchema {
  readonly entity?: string;
  readonly items?: DisplayNameSchema;
  readonly properties?: Readonly<Record<string, DisplayNameSchema & TSchema>>;
}

/** A display name beside the field it belongs to: `sexName` beside `sex`, `deptName` beside `deptId`. */
interface DisplayName {
  readonly name: string;
  readonly field: string;
  readonly traits: FieldTraits;
}

interface NamedEntity {
  readonly entity: string;
  /** True if rows carry the id and the name of their tenant. */
  readonly isTenants: boolean;
  readonly names: readonly DisplayName[];
}

/** Reader of the names, with their language. */
export interface NameReader {
  readonly principal: Principal;
  readonly language: Language;
}

const root = '0';
const topLevel: LocalizedText = ['顶级', 'Top level'];

/** Display names that BladeX-compatible consoles expect in rows, derived from the fields of the reply: options, dictionaries, references and parents. */
export class DisplayNames {
  private readonly entities = new WeakMap<TSchema, readonly NamedEntity[]>();

  constructor(
    private readonly db: Database,
    private readonly dictionaries: DictionaryLabels,
    private readonly references: ReferenceReaders,
  ) {}

  /** Extends a reply's schema with the names beside the fields of its rows; a data scope hides a name with its field. */
  widen(reply: TSchema): TSchema {
    const entities = entitiesIn(reply as DisplayNameSchema).map((found) => this.namedEntity(found));
    const widened = entities.reduce((schema, { entity, isTenants, names }) => {
      const fields = names.map(({ name, field }) => [name, nameOf(field)]);
      return withRowFields(schema, entity, Object.fromEntries([...fields, ...(isTenants ? tenantFields : [])]));
    }, reply);
    this.entities.set(widened, entities);
    return widened;
  }

  /** Fills in the names in a reply's rows, with one query for each kind of name regardless of the number of rows. */
  async complete(reply: unknown, schema: TSchema, reader: NameReader): Promise<unknown> {
    let completed = reply;
    for (const named of this.entities.get(schema) ?? []) {
      const rows: FieldValues[] = [];
      withRows(completed, schema, named.entity, (row) => {
        rows.push(row);
        return row;
      });
      if (rows.length === 0) continue;
      const added = await this.db.read({ tenantId: reader.principal.tenantId }, () => this.namesFor(named, rows, reader));
      completed = withRows(completed, schema, named.entity, (row) => ({ ...row, ...added(row) }));
    }
    return completed;
  }

  private namedEntity({ entity = '', properties = {} }: DisplayNameSchema): NamedEntity {
    const names = Object.entries(properties).flatMap(([field, schema]) => {
      const traits = traitsOf(schema);
      const name = traits && displayName(field, traits);
      return name === undefined || Object.hasOwn(properties, name) ? [] : [{ name, field, traits: traits as FieldTraits }];
    });
    return { entity, isTenants: this.db.entities.get(entity)?.owner === 'tenant' && !Object.hasOwn(properties, 'tenantId'), names };
  }

  private async namesFor(
    { entity, isTenants, names }: NamedEntity,
    rows: readonly FieldValues[],
    reader: NameReader,
  ): Promise<(row: FieldValues) => FieldValues> {
    const { tenantId } = reader.principal;
    const tenant = isTenants ? { tenantId, tenantName: await this.tenantName(tenantId) } : {};
    const titles = new Map<string, OptionTitles>();
    for (const display of names) titles.set(display.name, await this.titlesOf(entity, display, rows, reader));
    return (row) => {
      const named = names.map(({ name, field }) => [
        name,
        valuesOf(row[field])
          .flatMap((value) => titles.get(name)?.get(value) ?? [])
          .join(','),
      ]);
      return { ...tenant, ...Object.fromEntries(named) };
    };
  }

  private async titlesOf(
    entity: string,
    { field, traits }: DisplayName,
    rows: readonly FieldValues[],
    { principal, language }: NameReader,
  ): Promise<OptionTitles> {
    const inLanguage = (options: readonly Option[]) => new Map(options.map(([value, title]) => [String(value), localize(title, language)]));
    if (traits.options) return inLanguage(traits.options);
    const values = [...new Set(rows.flatMap((row) => valuesOf(row[field])))];
    if (values.length === 0) return new Map();
    if (traits.dictionary !== undefined) return inLanguage(await this.dictionaries.entries(principal.tenantId, traits.dictionary));
    if (traits.reference) return this.references.of(principal, language).titlesOf(traits.reference, values);
    return new Map([...(await this.parents(entity, values, language)), [root, localize(topLevel, language)]]);
  }

  /** Reads the titles of parent rows, as far as the reader may see them. */
  private async parents(name: string, ids: readonly string[], language: Language): Promise<OptionTitles> {
    const entity = this.db.entities.get(name);
    const title = entity && Object.keys(entity.fields).find((field) => /^(name|\w+Name)$/.test(field));
    if (!title) return new Map();
    const table = tableOf(entity);
    const found = await queryRows<{ id: string; title: string }>(
      this.db,
      sql`select ${table.id}::text as id, ${textColumn(entity, title, language)} as title from ${table}
          where ${table.id} = any(${`{${ids.join(',')}}`}::bigint[]) and is_deleted <> 1 and ${visibleRows(this.db, name)}`,
    );
    return new Map(found.map((row) => [row.id, row.title]));
  }

  private async tenantName(tenantId: string): Promise<string> {
    const [tenant] = await queryRows<{ name: string }>(this.db, sql`select tenant_name as name from tenant where tenant_id = ${tenantId} and is_deleted = 0`);
    return tenant?.name ?? '';
  }
}

/** Builds the schema of a name; a data scope that hides its field hides the name too. */
const nameOf = (field: string): TSchema => Type.Unsafe<string>({ type: 'string', namedField: field } as TSchema);
const tenantFields = ['tenantId', 'tenantName'].map((name) => [name, nameOf('id')]);

/** Returns the name under which BladeX-compatible consoles look for the title of a value; undefined if they look for none. */
function displayName(field: string, { widget, options, dictionary, reference, list, form }: FieldTraits): string | undefined {
  if (list === false && form === false) return undefined;
  if (reference || widget === 'parent') return field.endsWith('Id') ? `${field.slice(0, -2)}Name` : undefined;
  return options || dictionary !== undefined ? `${field}Name` : undefined;
}

/** Collects the row schemas within a schema, each entity once. */
function entitiesIn(schema: DisplayNameSchema, found: Map<string, DisplayNameSchema> = new Map()): DisplayNameSchema[] {
  if (schema.entity !== undefined && !found.has(schema.entity)) found.set(schema.entity, schema);
  if (schema.items) entitiesIn(schema.items, found);
  for (const property of Object.values(schema.properties ?? {})) entitiesIn(property, found);
  return [...found.values()];
}

/** Splits a field with several values, a list or comma-separated text. */
function valuesOf(value: unknown): string[] {
  if (isEmpty(value)) return [];
  return Array.isArray(value) ? value.map(String) : String(value).split(',');
}
