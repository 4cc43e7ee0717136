import fc from 'fast-check';
import type { TObject, TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { findViolation, ruleFields } from '#shared/rules';
import { fieldProblem, objectProblem } from '#shared/validation';
import { sample } from '../kit/fixtures.ts';

type Form = Record<string, unknown>;
type Limits = TSchema & { readonly type?: string | string[]; readonly maxLength?: number; readonly pattern?: string; readonly format?: string };

/** A form made from the schema of a call, or the field for which no valid value was found. */
export interface GeneratedForm {
  readonly form: Form;
  readonly missing?: string;
}

/** Builds a form that obeys patterns, conditional requirements and the rules of its entity; fields that `known` names have its values. */
export function validForm(input: TObject, { rules }: Pick<Entity, 'rules'>, known: Readonly<Record<string, unknown>> = {}): GeneratedForm {
  const form = sample(input, known);
  const properties = input.properties as Record<string, Limits>;
  for (const [name, value] of Object.entries(form)) if (properties[name] && traitsOf(properties[name])?.notPast && value !== null) form[name] = last(value);
  const tried = new Set<string>();
  for (let found = objectProblem(input, form); found; found = objectProblem(input, form)) {
    const { name } = found;
    const schema = properties[name];
    const value = schema && valueFor(schema);
    if (value === undefined || tried.has(name) || fieldProblem(schema as TSchema, value, true)) return { form, missing: name };
    tried.add(name);
    form[name] = value;
  }
  for (const rule of rules) {
    const [first, second] = ruleFields(rule);
    if (rule.kind !== 'within' && findViolation([rule], properties, form)) form[second] = rule.kind === 'before' ? last(form[second]) : form[first];
  }
  return { form };
}

/** Returns a late time in the notation of a value. */
export function last(value: unknown): string {
  const text = String(value);
  if (text.includes(' ')) return '2999-12-31 23:59:59';
  return text.includes(':') ? '23:59:59' : '2999-12-31';
}

const formatted: Readonly<Record<string, unknown>> = { cron: '0 0 * * *', json: '{}', link: 'https://example.com/sample' };

/** Returns a value of a field; undefined if its pattern cannot be generated. */
function valueFor(schema: Limits): unknown {
  const { pattern, format = '', maxLength = 64 } = schema;
  if (traitsOf(schema)?.widget === 'period') return '2026-01-01 00:00:00,2026-12-31 23:59:59';
  if (Object.hasOwn(formatted, format)) return formatted[format];
  if (pattern !== undefined && format === '') return textMatching(pattern, maxLength);
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  return sample({ properties: { value: { ...schema, type: types[0] } }, required: ['value'] } as unknown as TObject).value;
}

/** Returns a text that matches a pattern; undefined if none can be generated. */
export function textMatching(pattern: string, maxLength: number): string | undefined {
  try {
    const texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u'), { maxLength }), 20);
    return texts.find((text) => text.trim() !== '');
  } catch {
    // Look-arounds and the like have no generator.
    return undefined;
  }
}
