import type { LocalizedText } from '#shared/text';
import { fieldProblem } from '#shared/validation';
import type { ScreenField } from '../model/entity-fields.ts';
import { hasExcessDecimals } from './filter-decimals.ts';

/** Returns the message for a number with more decimals than the field has. */
export function filterProblem(field: ScreenField, value: unknown): LocalizedText | undefined {
  return hasExcessDecimals(field, value) ? fieldProblem(field.schema, value, false) : undefined;
}
