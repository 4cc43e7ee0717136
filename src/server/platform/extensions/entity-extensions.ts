import { type SQL, sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { FieldValues } from '#shared/condition';
import type { Call } from '#shared/contract';
import type { Entity } from '#shared/entity';
import { addedFields, type EntityExtension } from '#shared/entity-extension';
import { ApiError, problem } from '#shared/errors';
import { fieldProblem, fieldStateOf } from '#shared/validation';
import { recordChange } from '../../data/context/changes.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { RowConflict } from '../../data/repository/row-conflict.ts';
import { isHidden } from '../../data/repository/row-scope.ts';
import { typeOfField } from '../../data/schema/field-type.ts';
import type { KernelRequest, Route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { withParameters, withRowFields, withRows } from './extended-schemas.ts';

type StoredExtensionValue = { readonly id: string; readonly plugin: string; readonly value: FieldValues };

/** Selects the value of an added field for the row whose id the SQL names; null if there is none. */
export function addedValue<X extends EntityExtension>({ plugin, entity, fields }: X, field: keyof X['fields'] & string, rowId: SQL): SQL {
  const { sqlType } = typeOfField(fields[field] as X['fields'][string]);
  return sql`(select (added.value ->> ${field})::${sql.raw(sqlType)} from added_value added
              where added.entity = ${entity} and added.row_id = ${rowId} and added.plugin_id = ${plugin})`;
}

/** Stores the values of added fields beside their rows, in the current transaction. */
class AddedValues {
  constructor(private readonly db: Database) {}

  /** Reads the values these plugins have added to these rows: by row, then by wire name. */
  async of(entity: string, ids: readonly string[], plugins: readonly string[]): Promise<ReadonlyMap<string, FieldValues>> {
    if (ids.length === 0) return new Map();
    const storedValues = await queryRows<StoredExtensionValue>(
      this.db,
      sql`select row_id::text as id, plugin_id as plugin, value from added_value
          where entity = ${entity} and row_id = any(${`{${ids.join(',')}}`}::bigint[]) and plugin_id = any(${`{${plugins.map((id) => JSON.stringify(id)).join(',')}}`}::text[])`,
    );
    const found = new Map<string, FieldValues>();
    for (const { id, plugin, value } of storedValues) found.set(id, { ...found.get(id), ...named(plugin, value) });
    return found;
  }

  /** Stores values of a row; missing ones stay unchanged, `null` clears. */
  async save({ plugin, entity }: EntityExtension, id: string, values: FieldValues): Promise<void> {
    const before = (await this.of(entity, [id], [plugin])).get(id) ?? {};
    await this.db.sql.execute(
      sql`insert into added_value (entity, row_id, plugin_id, value) values (${entity}, ${id}, ${plugin}, jsonb_strip_nulls(${JSON.stringify(values)}::jsonb))
          on conflict (tenant_id, entity, row_id, plugin_id) do update set value = jsonb_strip_nulls(added_value.value || ${JSON.stringify(values)}::jsonb)`,
    );
    recordChange({ entity, id, before, after: { ...before, ...named(plugin, values) } });
  }

  /** Copies the added values of a row to its copy. */
  async copy(entity: string, from: string, to: string, plugins: readonly string[]): Promise<void> {
    await this.db.sql.execute(
      sql`insert into added_value (entity, row_id, plugin_id, value) select entity, ${to}, plugin_id, value from added_value
          where entity = ${entity} and row_id = ${from} and plugin_id = any(${`{${plugins.map((id) => JSON.stringify(id)).join(',')}}`}::text[])`,
    );
  }
}

const named = (plugin: string, values: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${plugin}:${name}`, value]));
type IsExtensionOff = (plugin: string, tenantId: string | undefined) => boolean;
/** A route that returns rows of an entity, or saves one. */
type RowRoute = Route & { readonly rows: NonNullable<Route['rows']> };

/** Fields that other plugins have added to rows. */
export abstract class AddedFields {
  /** Copies the added fields of a row to its copy, in the current transaction. */
  abstract copy(entity: Entity, from: string, to: string): Promise<void>;
}

/** Fields and rules that plugins add to the entities of others: read from the calls of their generic screens, stored with the row's own write, and included in replies. */
export class EntityExtensions extends AddedFields {
  private readonly extensions: EntityExtension[] = [];
  private readonly values: AddedValues;
  /** Extended routes by the ids of the extending plugins. */
  private readonly extended = new WeakMap<Route, Map<string, Route>>();

  constructor(
    private readonly db: Database,
    private readonly isOff: IsExtensionOff,
  ) {
    super();
    this.values = new AddedValues(db);
  }

  /** Validates a write against the rules of enabled plugins, regardless of its origin. Fields missing in an update are not validated. */
  validate(entity: Entity, values: FieldValues, before: FieldValues | undefined): void {
    if (this.extensions.length === 0) return;
    for (const { tightened } of this.of(entity.name, this.db.tenantId))
      for (const [field, { schema, required }] of Object.entries(tightened)) {
        if (before && values[field] === undefined) continue;
        const fieldState = fieldStateOf(schema, { ...before, ...values }, required);
        const message = fieldState.visible ? fieldProblem(schema, values[field], fieldState.required) : undefined;
        if (message) throw new ApiError(problem(400, message), {}, { field });
      }
  }

  /** Registers an extension; `routes` are those of the plugins started so far, one of which must save rows of the entity in the transaction of its call. */
  add(plugin: string, extension: EntityExtension, routes: readonly Route[]): void {
    if (extension.plugin !== plugin) throw new Error(`"${plugin}" adds fields declared by "${extension.plugin}"`);
    const adds = Object.keys(extension.fields).length > 0;
    if (adds && !routes.some(({ rows, manualTransactions }) => rows?.saves && rows.entity.name === extension.entity && !manualTransactions))
      throw new Error(`no running generic screen saves rows of "${extension.entity}" in the transaction of its call`);
    this.extensions.push(extension);
  }

  /** Lists the fields a plugin adds, prefixed with their entity. */
  namesOf(plugin: string): string[] {
    return this.ofPlugin(plugin).flatMap((one) => Object.keys(addedFields(one)).map((name) => `${one.entity} · ${name}`));
  }

  /** Lists the fields for which a plugin adds rules, prefixed with their entity. */
  rulesOf(plugin: string): string[] {
    return this.ofPlugin(plugin).flatMap((one) => Object.keys(one.tightened).map((name) => `${one.entity} · ${name}`));
  }

  unregister(plugin: string): void {
    const others = this.extensions.filter((one) => one.plugin !== plugin);
    this.extensions.splice(0, this.extensions.length, ...others);
  }

  override copy({ name }: Entity, from: string, to: string): Promise<void> {
    return this.values.copy(name, from, to, pluginsOf(this.of(name, this.db.tenantId)));
  }

  /** Returns the route with the fields added in the caller's tenant; the same route if there are none. */
  routeFor(route: Route, { tenantId }: Pick<Principal, 'tenantId'>): Route {
    const { rows } = route;
    if (!rows || this.extensions.length === 0) return route;
    const relevant = this.of(rows.entity.name, tenantId).filter(({ fields }) => Object.keys(fields).length > 0);
    if (relevant.length === 0) return route;
    const key = pluginsOf(relevant).join(' ');
    const variants = this.extended.get(route) ?? new Map<string, Route>();
    this.extended.set(route, variants);
    const variant = variants.get(key) ?? this.extend({ ...route, rows }, relevant);
    variants.set(key, variant);
    return variant;
  }

  private ofPlugin(plugin: string): EntityExtension[] {
    return this.extensions.filter((one) => one.plugin === plugin);
  }

  private of(entity: string, tenantId: string | undefined): EntityExtension[] {
    return this.extensions.filter((one) => one.entity === entity && !this.isOff(one.plugin, tenantId));
  }

  private extend(route: RowRoute, extensions: readonly EntityExtension[]): Route {
    const { entity, saves } = route.rows;
    const fields = Object.assign({}, ...extensions.map(addedFields)) as Record<string, TSchema>;
    const call: Call = {
      ...route.call,
      reply: withRowFields(route.call.reply, entity.name, withoutDefaults(fields)),
      ...(saves ? { input: withParameters(route.call.input, fields) } : {}),
    };
    const handler = async (request: KernelRequest): Promise<unknown> => {
      const values = request.input as FieldValues;
      const own = Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(fields, name)));
      const reply = await callHandler(route, { ...request, input: saves ? own : request.input }).catch(async (error) => {
        throw error instanceof RowConflict ? await this.withAddedFields(error, fields, extensions) : error;
      });
      if (saves) await this.saveValues(route, String((reply as { id: unknown }).id), values, extensions);
      return this.withAddedValues(reply, call, entity.name, extensions);
    };
    return { ...route, call, handler: handler as Route['handler'] };
  }

  /** Adds the fields to the row of a conflict, as they are in a reply. */
  private async withAddedFields({ schema, data }: RowConflict, fields: Record<string, TSchema>, extensions: readonly EntityExtension[]): Promise<RowConflict> {
    const { entity } = schema as { entity?: string };
    const row = withRowFields(schema, entity ?? '', withoutDefaults(fields));
    const current = await this.withAddedValues(data.current, { reply: row }, entity ?? '', extensions);
    return new RowConflict(row, { ...data, current: current as RowConflict['data']['current'] });
  }

  private async saveValues({ rows: { entity } }: RowRoute, id: string, values: FieldValues, extensions: readonly EntityExtension[]): Promise<void> {
    for (const extension of extensions) {
      // Fields hidden from the actor must not be changed either.
      const changedNames = Object.keys(extension.fields).filter((name) => wireName(extension, name) in values && !isHidden(entity, wireName(extension, name)));
      if (changedNames.length > 0)
        await this.values.save(extension, id, Object.fromEntries(changedNames.map((name) => [name, values[wireName(extension, name)]])));
    }
  }

  /** Completes the rows of a reply, with one query regardless of their number. */
  private async withAddedValues(reply: unknown, call: Pick<Call, 'reply'>, entity: string, extensions: readonly EntityExtension[]): Promise<unknown> {
    const ids: string[] = [];
    withRows(reply, call.reply, entity, (row) => {
      ids.push(String(row.id));
      return row;
    });
    const storedValues = await this.values.of(entity, ids, pluginsOf(extensions));
    const emptyValues = Object.fromEntries(extensions.flatMap((one) => Object.keys(addedFields(one)).map((name) => [name, null])));
    return withRows(reply, call.reply, entity, (row) => ({ ...row, ...emptyValues, ...storedValues.get(String(row.id)) }));
  }
}

const callHandler = async (route: Route, request: KernelRequest): Promise<unknown> => route.handler(request);
const wireName = ({ plugin }: EntityExtension, name: string) => `${plugin}:${name}`;
const pluginsOf = (extensions: readonly EntityExtension[]): string[] => [...new Set(extensions.map(({ plugin }) => plugin))];

/** Removes the defaults of fields, because a row without a value must not show a form's default. */
const withoutDefaults = (fields: Record<string, TSchema>): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const { default: _, ...rest } = schema as TSchema & { default?: unknown };
      return [name, rest as TSchema];
    }),
  );
