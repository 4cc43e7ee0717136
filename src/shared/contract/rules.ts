import type { TSchema } from 'typebox';
import { isEmpty, type LocalizedText } from '../text/text.ts';
import type { FieldValues } from './condition.ts';
import { type FieldTraits, type SchemaLimits, traitsOf } from './field-traits.ts';

/**
 * Rule between fields of one row, as plain data that console and server evaluate alike. `before`: a time is later than another. `atMost`: a maximum is not below its
 * minimum; `unlimited` is the maximum that stands for no limit. `within`: a number lies between two fields of the row that a reference field names.
 */
export type Rule<Name extends string = string> =
  | { readonly kind: 'before'; readonly earlier: Name; readonly later: Name }
  | { readonly kind: 'atMost'; readonly lower: Name; readonly upper: Name; readonly unlimited?: number }
  | WithinRule<Name>;

/** Rule whose bounds come from another record. */
export interface WithinRule<Name extends string = string> {
  readonly kind: 'within';
  readonly field: Name;
  /** Reference field that names the record; the call of its picker replies with the bounds. */
  readonly reference: Name;
  /** Entity of the record. */
  readonly entity: string;
  /** Fields of the record that hold the bounds. */
  readonly minimum: string;
  readonly maximum: string;
  /** Value of the maximum that stands for no limit. */
  readonly unlimited?: number;
}

type Properties = Readonly<Record<string, TSchema>>;

/** Smallest and largest allowed value; a missing one is no limit. */
export interface Bounds {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Declares that the field `later` holds a later time than `earlier`. */
export const before = <const Name extends string>(earlier: Name, later: Name): Rule<Name> => ({ kind: 'before', earlier, later });

/** Declares that the field `lower` is at most the field `upper`. */
export const atMost = <const Name extends string>(lower: Name, upper: Name, options: { readonly unlimited?: number } = {}): Rule<Name> => ({
  kind: 'atMost',
  lower,
  upper,
  ...options,
});

/** Declares that a field lies within the bounds of a referenced record. */
export const within = <const Name extends string>(field: Name, bounds: Omit<WithinRule<Name>, 'kind' | 'field'>): WithinRule<Name> => ({
  kind: 'within',
  field,
  ...bounds,
});

/** Returns the fields a rule reads; the last one carries its message. */
export function ruleFields(rule: Rule): readonly [string, string] {
  if (rule.kind === 'before') return [rule.earlier, rule.later];
  return rule.kind === 'atMost' ? [rule.lower, rule.upper] : [rule.reference, rule.field];
}

/** Returns the message of a broken rule and the field that shows it. A rule holds while one of its fields is empty; a rule with bounds of another record always holds here. */
export function ruleProblem(rule: Rule, properties: Properties, values: FieldValues): { readonly name: string; readonly message: LocalizedText } | undefined {
  if (rule.kind === 'within') return undefined;
  const [first, last] = ruleFields(rule);
  const [firstTraits, lastTraits] = [first, last].map((name) => properties[name] && traitsOf(properties[name]));
  const [low, high] = [values[first], values[last]];
  if (!firstTraits || !lastTraits || isEmpty(low) || isEmpty(high)) return undefined;
  const isSatisfied = rule.kind === 'before' ? String(low) < String(high) : Number(low) <= Number(high) || Number(high) === rule.unlimited;
  return isSatisfied ? undefined : { name: last, message: messageOf(rule.kind, firstTraits, lastTraits) };
}

/** Returns the message of the first broken rule of a row and the field that shows it. */
export function findViolation(rules: readonly Rule[], properties: Properties, values: FieldValues): ReturnType<typeof ruleProblem> {
  for (const rule of rules) {
    const found = ruleProblem(rule, properties, values);
    if (found) return found;
  }
  return undefined;
}

function messageOf(kind: 'before' | 'atMost', { title: [firstZh, firstEn] }: FieldTraits, { title: [zh, en] }: FieldTraits): LocalizedText {
  return kind === 'before'
    ? [`${zh}须晚于${firstZh}`, `${en} must be later than ${firstEn}`]
    : [`${zh}不能低于${firstZh}`, `${en} cannot be lower than ${firstEn}`];
}

/** Reads the bounds of a rule from the referenced record. */
export function boundsOf({ minimum, maximum, unlimited }: WithinRule, record: FieldValues): Bounds {
  const bound = (name: string) => (isEmpty(record[name]) ? undefined : Number(record[name]));
  const upper = bound(maximum);
  return { minimum: bound(minimum), maximum: upper === unlimited ? undefined : upper };
}

/** Returns the message for a value outside the bounds of another record. */
export function boundsMessage(schema: TSchema, value: unknown, { minimum, maximum }: Bounds): LocalizedText | undefined {
  const traits = traitsOf(schema);
  if (!traits || isEmpty(value)) return undefined;
  const number = Number(value);
  const [zh, en] = traits.title;
  const text = (bound: number) => boundText(traits, bound);
  if (minimum !== undefined && number < minimum) return [`${zh}不能低于 ${text(minimum)}`, `${en} must be at least ${text(minimum)}`];
  if (maximum !== undefined && number > maximum) return [`${zh}不能超过 ${text(maximum)}`, `${en} must be at most ${text(maximum)}`];
  return undefined;
}

const yuan: LocalizedText = ['元', 'yuan'];

function boundText({ widget }: FieldTraits, bound: number): string {
  return widget === 'money'
    ? (bound / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : bound.toLocaleString('en', { maximumFractionDigits: 6 });
}

/** Bounds that field builders set where a contract names none; hints leave them out. */
const defaultBounds: ReadonlySet<number> = new Set([-2_147_483_648, 2_147_483_647, -1e12, 1e12, Number.MAX_SAFE_INTEGER]);

const isMeaningful = (bound: number | undefined): bound is number => bound !== undefined && !defaultBounds.has(bound);

/** Returns the hint with the bounds and decimals of a number, such as `0.01–50,000.00 元`; undefined for a field without meaningful ones. */
export function boundsHint(schema: TSchema, additional: Bounds = {}): LocalizedText | undefined {
  const traits = traitsOf(schema);
  if (!traits || (traits.widget !== 'number' && traits.widget !== 'money')) return undefined;
  const own = schema as SchemaLimits;
  const minimum = Math.max(own.minimum ?? -Infinity, additional.minimum ?? -Infinity);
  const maximum = Math.min(own.maximum ?? Infinity, additional.maximum ?? Infinity);
  const range = rangeHint(traits, isMeaningful(minimum) ? minimum : -Infinity, isMeaningful(maximum) ? maximum : Infinity);
  const places = traits.decimals ?? 0;
  const decimals: LocalizedText | undefined = places > 0 ? [`最多 ${places} 位小数`, `up to ${places} decimal places`] : undefined;
  if (!range || !decimals) return range ?? (decimals && [decimals[0], capitalized(decimals[1])]);
  return [`${range[0]}，${decimals[0]}`, `${range[1]}, ${decimals[1]}`];
}

function rangeHint(traits: FieldTraits, minimum: number, maximum: number): LocalizedText | undefined {
  const [zhUnit, enUnit] = traits.widget === 'money' ? yuan : (traits.unit ?? ['', '']);
  const [low, high] = [minimum, maximum].map((bound) => boundText(traits, bound));
  const unit = (text: string) => (text === '' ? '' : ` ${text}`);
  if (Number.isFinite(minimum) && Number.isFinite(maximum)) return [`${low}–${high}${unit(zhUnit)}`, `${low}–${high}${unit(enUnit)}`];
  if (Number.isFinite(maximum)) return [`最多 ${high}${unit(zhUnit)}`, `Up to ${high}${unit(enUnit)}`];
  // A minimum of 0, or of the smallest amount, needs no hint.
  const least = traits.widget === 'money' ? 1 : 0;
  return Number.isFinite(minimum) && minimum !== 0 && minimum !== least ? [`至少 ${low}${unit(zhUnit)}`, `At least ${low}${unit(enUnit)}`] : undefined;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the message for a time in the past; `now` is the current time in wire format. */
export function pastMessage(schema: TSchema, value: unknown, now: string): LocalizedText | undefined {
  const traits = traitsOf(schema);
  if (!traits?.notPast || typeof value !== 'string' || isEmpty(value) || value >= now.slice(0, value.length)) return undefined;
  const [zh, en] = traits.title;
  return [`${zh}早于当前时间，请选择将来的时间`, `${en} is in the past. Choose a later time`];
}
