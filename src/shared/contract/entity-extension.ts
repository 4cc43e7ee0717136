import type { Static, TProperties, TSchema } from 'typebox';
import type { Entity, FormOf } from './entity.ts';
import type { SchemaLimits } from './field-traits.ts';
import { type Option, traitsOf, type Widget } from './fields.ts';

/** Constraints of a plugin on a field, in addition to the entity's. Limits wider than the entity's have no effect. */
interface Constraints {
  readonly required?: true;
  /** In fen (1/100 yuan) for money, as `maximum`. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Regular expression, without backreferences, that must match in addition to the field's own. */
  readonly pattern?: string;
  /** Restricts the options to these. */
  readonly values?: readonly (string | number)[];
}

/** Tests whether a field is editable and its type supports these constraints. */
function canTighten(schema: TSchema, { minimum, maximum, maxLength, pattern, values }: Constraints): boolean {
  const limits = schema as SchemaLimits;
  const types = [limits.type].flat();
  const traits = traitsOf(schema);
  const isNumber = types.includes('integer') || types.includes('number');
  return (
    traits !== undefined &&
    traits.form !== false &&
    ((minimum === undefined && maximum === undefined) || isNumber) &&
    ((maxLength === undefined && pattern === undefined) || types.includes('string')) &&
    (values === undefined || limits.enum !== undefined)
  );
}

/** Builds the schema of a field with the tighter of each pair of limits. */
function tightenedSchema(schema: TSchema, { minimum, maximum, maxLength, pattern, values }: Constraints): TSchema {
  const own = schema as SchemaLimits;
  const traits = traitsOf(schema);
  const isAllowed = (value: unknown) => value === null || values?.some((one) => String(one) === String(value));
  return {
    ...schema,
    ...(minimum === undefined ? {} : { minimum: Math.max(minimum, own.minimum ?? minimum) }),
    ...(maximum === undefined ? {} : { maximum: Math.min(maximum, own.maximum ?? maximum) }),
    ...(maxLength === undefined ? {} : { maxLength: Math.min(maxLength, own.maxLength ?? maxLength) }),
    ...(pattern === undefined ? {} : { pattern: own.pattern === undefined ? pattern : `^(?=[\\s\\S]*?(?:${own.pattern}))(?=[\\s\\S]*?(?:${pattern}))` }),
    ...(values === undefined
      ? {}
      : { enum: own.enum?.filter(isAllowed), field: { ...traits, options: traits?.options?.filter(([one]: Option) => isAllowed(one)) } }),
  } as TSchema;
}

/**
 * Extension of another plugin's entity: the entity's name, additional fields in the namespace of the extending plugin, and tighter constraints on the entity's own
 * fields.
 */
export interface EntityExtension<Id extends string = string, Fields extends TProperties = TProperties> {
  readonly plugin: Id;
  readonly entity: string;
  readonly fields: Fields;
  /** The constrained fields of the entity, by name. */
  readonly tightened: Readonly<Record<string, TightenedField>>;
}

/** A field of the entity with tighter constraints. */
export interface TightenedField {
  /** Schema with the constraints of both. */
  readonly schema: TSchema;
  /** True to make the field required even where the entity does not. */
  readonly required: boolean;
}

/** Values of the added fields, by their names in forms and rows, such as `loyalty:points`. */
export type AddedValuesOf<Extension extends EntityExtension> = {
  [Name in keyof Extension['fields'] & string as `${Extension['plugin']}:${Name}`]?: Static<Extension['fields'][Name]>;
};

/** Widgets that an extension cannot add: their values need more than a column, such as an encryption key, a file or a place in a tree. */
const notAddable: ReadonlySet<Widget> = new Set(['secret', 'image', 'attachment', 'rich-text', 'parent']);

/**
 * Declares the fields and constraints that a plugin adds to another plugin's rows; both halves of the plugin use the result. Added fields must be nullable, since
 * older rows and other clients lack them; lists neither search nor sort by them. Constraints can only become tighter.
 */
export function extendEntity<const Id extends string, E extends Entity, const Fields extends TProperties = Record<never, never>>(
  plugin: Id,
  entity: E,
  { adds: fields = {} as Fields, tightens = {} }: { readonly adds?: Fields; readonly tightens?: { readonly [Name in keyof FormOf<E>]?: Constraints } },
): EntityExtension<Id, Fields> {
  if (entity.owner !== 'tenant' && Object.keys(fields).length > 0)
    throw new Error(`${entity.name} has rows that all tenants share, so a plugin cannot add fields to it`);
  for (const [name, schema] of Object.entries(fields)) {
    const { widget, search, sort } = traitsOf(schema) ?? {};
    const isNullable = [(schema as { type?: string | string[] }).type].flat().includes('null');
    if (!widget || !isNullable || search || sort || notAddable.has(widget))
      throw new Error(`${plugin}:${name} cannot be added to ${entity.name}: it must be Nullable, must store its own value, and cannot use search or sort`);
  }
  const tightened = Object.entries(tightens as Readonly<Record<string, Constraints>>).map(([name, constraints]) => {
    const schema = (entity.form.properties as Readonly<Record<string, TSchema>>)[name];
    if (!schema || !canTighten(schema, constraints))
      throw new Error(`${plugin} cannot restrict ${entity.name}.${name}: the field is not editable or has another type`);
    const { enum: options } = tightenedSchema(schema, constraints) as SchemaLimits;
    if (options?.length === 0) throw new Error(`${plugin} leaves no option of ${entity.name}.${name}`);
    return [name, { schema: tightenedSchema(schema, constraints), required: constraints.required === true }] as const;
  });
  return { plugin, entity: entity.name, fields, tightened: Object.fromEntries(tightened) };
}

/** Returns the added fields by their names on the wire. */
export const addedFields = ({ plugin, fields }: EntityExtension): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`${plugin}:${name}`, schema]));
