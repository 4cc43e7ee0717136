import type { TSchema } from 'typebox';
import { type Call, crud, type Entity, entity } from '#shared/contract';
import * as fields from '#shared/fields';
import type { EntityPlan, FieldPlan, PluginPlan } from './emit/plan.ts';

type Builder = (options: unknown) => fields.Field;

/** Describes a plugin's calls by OpenAPI 3.1. */
export function openApi({ title, main, details }: PluginPlan): string {
  const calls = [main, ...(details ? [details] : [])].flatMap(callsOf);
  const paths = Object.fromEntries(calls.map((call) => [call.path, { [call.method.toLowerCase()]: operation(call) }]));
  return `${JSON.stringify({ openapi: '3.1.0', info: { title: title[1], version: '1' }, paths }, undefined, 2)}\n`;
}

function callsOf(entityPlan: EntityPlan): Call[] {
  const { list, detail, submit, remove } = crud(entityPlan.apiPath, entityOf(entityPlan));
  return [list, detail, submit, remove];
}

const entityOf = ({ table, fields: plans }: EntityPlan): Entity =>
  entity(table, { id: fields.Id(), ...Object.fromEntries(plans.map((plan) => [plan.name, fieldOf(plan)])) });

function fieldOf({ builder, traits, isMultiple, isOptional }: FieldPlan): TSchema {
  const plain = (fields as unknown as Record<string, Builder>)[builder]?.(traits) as fields.Field;
  const listed = isMultiple ? fields.MultiSelect(plain) : plain;
  return isOptional ? fields.Nullable(listed) : listed;
}

function operation({ method, title, input, reply }: Call) {
  const { properties = {}, required = [] } = input as { properties?: Record<string, unknown>; required?: string[] };
  const parameters = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
  const envelope = { type: 'object', properties: { code: { type: 'integer' }, success: { type: 'boolean' }, msg: { type: 'string' }, data: reply } };
  return {
    summary: title[1],
    ...(method === 'GET' ? { parameters } : { requestBody: { content: { 'application/json': { schema: input } } } }),
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: envelope } } } },
  };
}
