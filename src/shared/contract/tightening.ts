import type { TSchema } from 'typebox';
import type { SchemaLimits } from './field-traits.ts';
import { type Option, traitsOf } from './fields.ts';

/** Constraints of a plugin on a field, in addition to the entity's. Limits wider than the entity's have no effect. */
export interface Constraints {
  readonly required?: true;
  /** In 分 (cents) for money. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Regular expression that must match in addition to the field's own. */
  readonly pattern?: string;
  /** Restricts the options to these. */
  readonly values?: readonly (string | number)[];
}

/** Returns true for a form field whose type has these limits. */
export function canTighten(schema: TSchema, { minimum, maximum, maxLength, pattern, values }: Constraints): boolean {
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
export function tightenedSchema(schema: TSchema, { minimum, maximum, maxLength, pattern, values }: Constraints): TSchema {
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
