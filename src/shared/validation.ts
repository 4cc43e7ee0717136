import type { TObject, TSchema } from 'typebox';
import { type FieldTraits, traitsOf } from './fields.ts';
import { isEmpty, type Words } from './text.ts';

interface Constraints {
  type?: string | string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  enum?: unknown[];
}

/** What is wrong with one value of a form, or nothing. Both halves speak these words: forms on blur, the server when refusing. */
export function fieldProblem(schema: TSchema, value: unknown, required: boolean): Words | undefined {
  const traits = traitsOf(schema);
  if (!traits) return undefined;
  const limits = schema as Constraints;
  if (isEmpty(value) || (typeof value === 'string' && value.trim() === '')) return required ? requiredWords(traits) : undefined;
  return textProblem(traits, limits, value) ?? numberProblem(traits, limits, value) ?? choiceProblem(traits, limits, value);
}

/** The first wrong field of an object and what is wrong with it, in the order the fields are declared. */
export function objectProblem(shape: TObject, value: Readonly<Record<string, unknown>>): { name: string; words: Words } | undefined {
  const required = new Set(shape.required as string[] | undefined);
  for (const [name, schema] of Object.entries(shape.properties)) {
    const words = fieldProblem(schema, value[name], required.has(name));
    if (words) return { name, words };
  }
  return undefined;
}

const picked: ReadonlySet<FieldTraits['widget']> = new Set(['choice', 'date-time', 'parent']);

function requiredWords({ title: [zh, en], widget }: FieldTraits): Words {
  return picked.has(widget) ? [`请选择${zh}`, `Please choose ${decapitalised(en)}`] : [`请输入${zh}`, `Please enter ${decapitalised(en)}`];
}

function textProblem({ title: [zh, en] }: FieldTraits, { maxLength, pattern }: Constraints, value: unknown): Words | undefined {
  if (maxLength === undefined && pattern === undefined) return undefined;
  if (typeof value !== 'string') return [`${zh}格式不正确`, `${en} has the wrong format`];
  if (maxLength !== undefined && [...value].length > maxLength) return [`${zh}不能超过${maxLength}个字符`, `${en} takes at most ${maxLength} characters`];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return [`${zh}格式不正确`, `${en} has the wrong format`];
  return undefined;
}

function numberProblem({ title: [zh, en] }: FieldTraits, { minimum, maximum }: Constraints, value: unknown): Words | undefined {
  if (minimum === undefined || maximum === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number)) return [`${zh}须为整数`, `${en} must be a whole number`];
  if (number < minimum || number > maximum) return [`${zh}须在${minimum}到${maximum}之间`, `${en} must be between ${minimum} and ${maximum}`];
  return undefined;
}

function choiceProblem({ title: [zh, en] }: FieldTraits, { enum: values }: Constraints, value: unknown): Words | undefined {
  if (!values || values.some((allowed) => String(allowed) === String(value))) return undefined;
  return [`${zh}不是可选的值`, `${en} is not one of the choices`];
}

/** `Parameter name` → `parameter name`, but `URL` stays `URL`. */
function decapitalised(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title;
}
