import type { Static, TProperties, TSchema } from 'typebox';
import type { Entity, FormOf } from './entity.ts';
import { traitsOf, type Widget } from './fields.ts';
import { fitsField, type Tightening, tightenedSchema } from './tightening.ts';

/** What a plugin adds to the rows of another: an entity's name, fields by names of the plugin's own, and what it asks of the entity's. */
export interface EntityExtension<Id extends string = string, Fields extends TProperties = TProperties> {
  readonly plugin: Id;
  readonly entity: string;
  readonly fields: Fields;
  /** Fields of the entity as they are judged besides. */
  readonly tightened: Readonly<Record<string, TightenedField>>;
}

/** A field of the entity with narrower limits. */
export interface TightenedField {
  readonly schema: TSchema;
  /** True: it may not be left out, whatever the entity says. */
  readonly required: boolean;
}

/** The values of added fields, by the names they have in forms and rows: `loyalty:points`. */
export type AddedValuesOf<X extends EntityExtension> = {
  [Name in keyof X['fields'] & string as `${X['plugin']}:${Name}`]?: Static<X['fields'][Name]>;
};

/** What is kept elsewhere than with its row needs more than its value: a key, a file, a place among others. */
const notAddable: ReadonlySet<Widget> = new Set(['secret', 'image', 'attachment', 'rich-text', 'parent']);

/**
 * Declares what a plugin adds to another's rows and asks of them; both of its halves use it. An added field must be able to be nothing, for there are
 * rows without it and clients that know nothing of it; lists are neither searched nor ordered by it. What is asked of a field only narrows it.
 */
export function extendEntity<const Id extends string, E extends Entity, const Fields extends TProperties = Record<never, never>>(
  plugin: Id,
  entity: E,
  { adds: fields = {} as Fields, tightens = {} }: { readonly adds?: Fields; readonly tightens?: { readonly [Name in keyof FormOf<E>]?: Tightening } },
): EntityExtension<Id, Fields> {
  if (entity.owner !== 'tenant' && Object.keys(fields).length > 0) throw new Error(`${entity.name} is the platform's and takes no fields of tenants`);
  for (const [name, schema] of Object.entries(fields)) {
    const { widget, search, sort } = traitsOf(schema) ?? {};
    const isOptional = [(schema as { type?: string | string[] }).type].flat().includes('null');
    if (!widget || !isOptional || search || sort || notAddable.has(widget))
      throw new Error(`${plugin}:${name} cannot be added to ${entity.name}: it must be Optional, of a kind that is kept by its value, without search and sort`);
  }
  const tightened = Object.entries(tightens as Readonly<Record<string, Tightening>>).map(([name, asked]) => {
    const schema = (entity.form.properties as Readonly<Record<string, TSchema>>)[name];
    if (!schema || !fitsField(schema, asked)) throw new Error(`${plugin} cannot ask that of ${entity.name}.${name}: it is not entered, or of another kind`);
    return [name, { schema: tightenedSchema(schema, asked), required: asked.required === true }] as const;
  });
  return { plugin, entity: entity.name, fields, tightened: Object.fromEntries(tightened) };
}

/** Added fields by the names they have on the wire. */
export const addedFields = ({ plugin, fields }: EntityExtension): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`${plugin}:${name}`, schema]));
