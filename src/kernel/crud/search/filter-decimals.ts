import type { SchemaLimits } from '#shared/field-traits';
import type { ScreenField } from '../model/entity-fields.ts';

/** Tells whether a number has more decimals than its field, so that it matches no row. Amounts are integers of 分 (cents); the bounds of a field do not limit filters. */
export function hasExcessDecimals({ schema, traits }: ScreenField, value: unknown): boolean {
  if ((traits.widget !== 'money' && traits.widget !== 'number') || typeof value !== 'number') return false;
  const isInteger = [(schema as SchemaLimits).type].flat().includes('integer');
  return Number(value.toFixed(isInteger ? 0 : (traits.decimals ?? 0))) !== value;
}
