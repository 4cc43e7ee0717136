import type { TSchema } from 'typebox';
import { type Option, traitsOf } from './fields.ts';

/** What a plugin asks of a field beyond what its entity does. Limits that are wider than the entity's change nothing. */
export interface Tightening {
  readonly required?: true;
  /** For money in 分. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** A regular expression that must be found besides the field's own. */
  readonly pattern?: string;
  /** Of what may be chosen, these alone. */
  readonly values?: readonly (string | number)[];
}

interface Limits {
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
}

/** Whether a field has what is to be narrowed. */
export function fitsField(schema: TSchema, { minimum, maximum, maxLength, pattern, values }: Tightening): boolean {
  const limits = schema as Limits;
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

/** The schema of a field with the narrower of each two limits. */
export function tightenedSchema(schema: TSchema, { minimum, maximum, maxLength, pattern, values }: Tightening): TSchema {
  const own = schema as Limits;
  const traits = traitsOf(schema);
  const isLeft = (value: unknown) => value === null || values?.some((one) => String(one) === String(value));
  return {
    ...schema,
    ...(minimum === undefined ? {} : { minimum: Math.max(minimum, own.minimum ?? minimum) }),
    ...(maximum === undefined ? {} : { maximum: Math.min(maximum, own.maximum ?? maximum) }),
    ...(maxLength === undefined ? {} : { maxLength: Math.min(maxLength, own.maxLength ?? maxLength) }),
    ...(pattern === undefined ? {} : { pattern: own.pattern === undefined ? pattern : `^(?=[\\s\\S]*?(?:${own.pattern}))(?=[\\s\\S]*?(?:${pattern}))` }),
    ...(values === undefined ? {} : { enum: own.enum?.filter(isLeft), field: { ...traits, options: traits?.options?.filter(([one]: Option) => isLeft(one)) } }),
  } as TSchema;
}
