import type { TObject, TSchema } from 'typebox';
import { wireFormats } from '../text/formats.ts';
import { isMaskedText } from '../text/personal.ts';
import { isEmpty, type LocalizedText } from '../text/text.ts';
import type { FieldValues } from './condition.ts';
import { conditionFields, holds } from './condition.ts';
import type { SchemaLimits } from './field-traits.ts';
import { type FieldTraits, maskedKindOf, traitsOf, type Widget } from './fields.ts';

/** Returns the message for an invalid value of a form, or undefined. Console and server use the same messages. */
export function fieldProblem(schema: TSchema, value: unknown, required: boolean): LocalizedText | undefined {
  const traits = traitsOf(schema);
  if (!traits) return undefined;
  const limits = schema as SchemaLimits;
  if (isEmpty(value) || (typeof value === 'string' && value.trim() === '')) return required ? requiredMessage(traits) : undefined;
  if (traits.refused) return traits.refused;
  // A masked value that comes from the server and goes back to it leaves the stored one unchanged.
  if (isMaskedText(value) && maskedKindOf(schema)) return undefined;
  return limits.items ? listProblem(traits, limits, value) : valueProblem(traits, limits, value);
}

/** Evaluates the conditions of a field: is it visible for these values, and is it required? */
export function fieldStateOf(schema: TSchema, values: FieldValues, required: boolean): { readonly visible: boolean; readonly required: boolean } {
  const { visible, requiredWhen } = traitsOf(schema) ?? {};
  const isVisible = visible === undefined || holds(visible, values);
  return { visible: isVisible, required: isVisible && (required || (requiredWhen !== undefined && holds(requiredWhen, values))) };
}

/**
 * Returns the first invalid field of an object, in the order of declaration, with its message; nested objects are included. A condition on other fields is evaluated
 * only for a new row, or if these fields are all in `names`: an update without them is checked against the stored row.
 */
export function objectProblem(
  shape: TObject,
  value: FieldValues,
  names: readonly string[] = Object.keys(value),
): { name: string; message: LocalizedText } | undefined {
  const required = new Set(shape.required as string[] | undefined);
  for (const [name, schema] of Object.entries(shape.properties)) {
    const fieldState = canEvaluateConditions(schema, value, names)
      ? fieldStateOf(schema, value, required.has(name))
      : { visible: true, required: required.has(name) };
    const message = fieldState.visible ? fieldProblem(schema, value[name], fieldState.required) : undefined;
    if (message) return { name, message };
    const hasNested = fieldState.visible && (schema as Partial<TObject>).properties !== undefined && (fieldState.required || !isEmpty(value[name]));
    const nestedProblem = hasNested ? objectProblem(schema as TObject, fieldsOfObject(value[name])) : undefined;
    if (nestedProblem) return nestedProblem;
  }
  return undefined;
}

/** Text and lists have keys, but no fields. */
const fieldsOfObject = (value: unknown): FieldValues => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FieldValues) : {});

/** Compares the number of characters, each of which is one or two UTF-16 units, so that a far longer text is not iterated. */
const isLonger = (text: string, characters: number): boolean => text.length > characters && (text.length > 2 * characters || [...text].length > characters);

function canEvaluateConditions(schema: TSchema, value: FieldValues, names: readonly string[]): boolean {
  const { visible, requiredWhen } = traitsOf(schema) ?? {};
  const neededFields = [visible, requiredWhen].flatMap((condition) => (condition ? conditionFields(condition) : []));
  return isEmpty(value.id) || neededFields.every((name) => name === 'id' || names.includes(name));
}

const selectWidgets: ReadonlySet<Widget> = new Set(['choice', 'flag', 'dictionary', 'reference', 'parent', 'date-time', 'date', 'time', 'period', 'cron']);
const uploadWidgets: ReadonlySet<Widget> = new Set(['image', 'attachment']);

function requiredMessage({ title: [zh, en], widget }: FieldTraits): LocalizedText {
  if (widget === 'phone') return ['手机号码不能为空', 'The phone number cannot be empty'];
  if (uploadWidgets.has(widget)) return [`请上传${zh}`, `${en} is required`];
  return selectWidgets.has(widget) ? [`请选择${zh}`, `${en} is required`] : [`请输入${zh}`, `${en} is required`];
}

function listProblem(traits: FieldTraits, { maxItems = Number.POSITIVE_INFINITY, items = {} }: SchemaLimits, value: unknown): LocalizedText | undefined {
  const [zh, en] = traits.title;
  if (!Array.isArray(value)) return wrongFormat(traits);
  if (value.length > maxItems) return [`${zh}最多${maxItems}项`, `${en} can have up to ${maxItems} entries`];
  if (new Set(value.map(String)).size < value.length) return [`${zh}有重复项`, `${en} contains duplicates`];
  for (const item of value) {
    const message = isEmpty(item) ? wrongFormat(traits) : valueProblem(traits, items, item);
    if (message) return message;
  }
  return undefined;
}

function valueProblem(traits: FieldTraits, limits: SchemaLimits, value: unknown): LocalizedText | undefined {
  return (
    flagProblem(traits, limits, value) ??
    textProblem(traits, limits, value) ??
    formatProblem(traits, limits, value) ??
    numberProblem(traits, limits, value) ??
    choiceProblem(traits, limits, value)
  );
}

const wrongFormat = ({ title: [zh, en] }: FieldTraits): LocalizedText => [`${zh}格式不正确`, `${en} has an invalid format`];

function flagProblem(traits: FieldTraits, { type }: SchemaLimits, value: unknown): LocalizedText | undefined {
  if (![type].flat().includes('boolean')) return undefined;
  return /^(true|false|0|1)$/.test(String(value)) ? undefined : wrongFormat(traits);
}

function textProblem(traits: FieldTraits, { maxLength, pattern }: SchemaLimits, value: unknown): LocalizedText | undefined {
  if (maxLength === undefined && pattern === undefined) return undefined;
  const { title, widget } = traits;
  const [zh, en] = title;
  if (typeof value !== 'string') return wrongFormat(traits);
  if (widget === 'phone' && (isLonger(value, 11) || [...value].length < 11)) return ['手机号码长度不为11位', 'The phone number must have 11 digits'];
  if (maxLength !== undefined && isLonger(value, maxLength)) return [`${zh}不能超过${maxLength}个字符`, `${en} can have up to ${maxLength} characters`];
  return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? wrongFormat(traits) : undefined;
}

function formatProblem(traits: FieldTraits, { format }: SchemaLimits, value: unknown): LocalizedText | undefined {
  if (traits.widget === 'period' && typeof value === 'string') return periodProblem(traits, value);
  const isValid = format === undefined || !Object.hasOwn(wireFormats, format) ? undefined : wireFormats[format];
  if (!isValid || (typeof value === 'string' && isValid(value))) return undefined;
  const { title, widget } = traits;
  const [zh, en] = title;
  if (widget === 'phone') return ['手机号码格式不正确', 'The phone number has an invalid format'];
  if (format === 'json') return [`${zh}不是有效的 JSON`, `${en} is not valid JSON`];
  if (format === 'cron') return [`${zh}不是有效的 Cron 表达式`, `${en} is not a valid cron expression`];
  return wrongFormat(traits);
}

/** A period ends after it begins; both times have the same width, so that they compare as text. */
function periodProblem({ title: [zh, en] }: FieldTraits, value: string): LocalizedText | undefined {
  const [begin = '', end = ''] = value.split(',');
  return begin < end ? undefined : [`${zh}的结束时间须晚于开始时间`, `${en} must end after it starts`];
}

function numberProblem(traits: FieldTraits, { type, minimum, maximum }: SchemaLimits, value: unknown): LocalizedText | undefined {
  if (minimum === undefined || maximum === undefined) return undefined;
  const { title, widget, decimals = 0 } = traits;
  const [zh, en] = title;
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
  const isInteger = [type].flat().includes('integer');
  if (isInteger && !Number.isInteger(number)) return wholeNumberProblem(traits, number);
  if (!Number.isFinite(number)) return [`${zh}须为数字`, `${en} must be a number`];
  if (!isInteger && Number(number.toFixed(decimals)) !== number) return [`${zh}最多${decimals}位小数`, `${en} can have up to ${decimals} decimal places`];
  const [min, max] = widget === 'money' ? [(minimum / 100).toFixed(2), (maximum / 100).toFixed(2)] : [minimum, maximum];
  return number < minimum || number > maximum ? [`${zh}须在${min}到${max}之间`, `${en} must be between ${min} and ${max}`] : undefined;
}

/** Amounts are integers of 分 (cents), so a fraction is a third decimal of the yuan that users enter. */
function wholeNumberProblem({ title: [zh, en], widget }: FieldTraits, number: number): LocalizedText {
  if (widget !== 'money') return [`${zh}须为整数`, `${en} must be an integer`];
  return Number.isFinite(number) ? [`${zh}最多2位小数`, `${en} can have up to 2 decimal places`] : [`${zh}须为数字`, `${en} must be a number`];
}

/** Returns the message for a value that is not among the options. */
export const notAnOption = ([zh, en]: LocalizedText): LocalizedText => [`${zh}不是可选的值`, `${en} is not one of the options`];

function choiceProblem({ title }: FieldTraits, { enum: values }: SchemaLimits, value: unknown): LocalizedText | undefined {
  if (!values || values.some((allowed) => String(allowed) === String(value))) return undefined;
  return notAnOption(title);
}
