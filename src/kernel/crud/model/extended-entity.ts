import type { TProperties, TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import type { TightenedField } from '#shared/entity-extension';
import { traitsOf } from '#shared/fields';
import type { InputOverride } from './crud-screen.ts';

type FieldSchemas = Readonly<Record<string, TSchema>>;

const groupOf = (schema: TSchema | undefined) => schema && traitsOf(schema)?.group?.[0];

/** Inserts the names of added fields: each after the last of its group, or else after the last form field. */
export function insertNames(names: readonly string[], { form }: Entity, added: FieldSchemas): string[] {
  const formProperties: FieldSchemas = { ...(form.properties as FieldSchemas), ...added };
  const all = [...names];
  for (const [name, schema] of Object.entries(added)) {
    const group = groupOf(schema);
    const groupIndex = group === undefined ? -1 : all.findLastIndex((other) => groupOf(formProperties[other]) === group);
    const index = groupIndex >= 0 ? groupIndex : all.findLastIndex((other) => other in formProperties);
    all.splice(index < 0 ? all.length : index + 1, 0, name);
  }
  return all;
}

/** Returns the entity with further fields in its forms and views; lists do not request them. */
export function withFields(entity: Entity, added: FieldSchemas): Entity {
  const { fields, form } = entity;
  const withAddedProperties = (own: TProperties): TProperties => {
    const all: TProperties = { ...own, ...added };
    return Object.fromEntries(insertNames(Object.keys(own), entity, added).map((name) => [name, all[name] as TSchema]));
  };
  return { ...entity, fields: withAddedProperties(fields), form: { ...form, properties: withAddedProperties(form.properties) } };
}

/** Returns the entity with stricter validation of some form fields, and with other titles, help or placeholders of some fields. */
export function withOverrides(entity: Entity, tightened: Readonly<Record<string, TightenedField>>, inputs: Readonly<Record<string, InputOverride>>): Entity {
  const { fields, form } = entity;
  const withLabel = ([name, schema]: [string, TSchema]): [string, TSchema] => {
    const { title, help, placeholder } = inputs[name] ?? {};
    const overrides = { ...(title ? { title } : {}), ...(help ? { help } : {}), ...(placeholder ? { placeholder } : {}) };
    return [name, { ...schema, field: { ...traitsOf(schema), ...overrides } } as TSchema];
  };
  const withLabels = (properties: TProperties): TProperties =>
    Object.fromEntries(Object.entries(properties).map((entry) => (inputs[entry[0]] ? withLabel(entry) : entry)));
  const validatedProperties = Object.fromEntries(Object.entries(form.properties).map(([name, schema]) => [name, tightened[name]?.schema ?? schema]));
  const required = Object.keys(tightened).filter((name) => tightened[name]?.required);
  const tightenedForm = {
    ...form,
    properties: withLabels(validatedProperties),
    required: [...new Set([...((form.required as string[] | undefined) ?? []), ...required])],
  };
  return { ...entity, fields: withLabels(fields), form: tightenedForm as Entity['form'] };
}
