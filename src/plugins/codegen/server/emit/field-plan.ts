import type { LocalizedText } from '#shared/text';
import type { Guess } from '../guess.ts';
import { isAuditColumn } from '../names.ts';
import type { FieldPlan } from './plan.ts';

/** Tables with a generated plugin, by name; references to them use its calls. */
export type ReferenceTargets = ReadonlyMap<string, { readonly apiPath: string; readonly title: string }>;

type FieldKind = Pick<FieldPlan, 'builder' | 'sqlType' | 'sample'> & { readonly traits?: Readonly<Record<string, unknown>>; readonly preset?: string };

const maxInteger = Number.MAX_SAFE_INTEGER;

/** Returns the fields of an entity, without keys that the system provides and columns that neither list nor form shows. */
export function fieldPlans(guesses: readonly Guess[], targets: ReferenceTargets): FieldPlan[] {
  const keyCount = guesses.filter(({ isKey }) => isKey === 1).length;
  return guesses.filter((guess) => isIncluded(guess, keyCount === 1)).map((guess) => fieldPlan(guess, targets));
}

function isIncluded({ isList, isForm, isKey, propertyType, jdbcName }: Guess, isOnlyKey: boolean): boolean {
  const isProvided = isKey === 1 && isOnlyKey && (propertyType === 'Integer' || propertyType === 'Long');
  return (isList === 1 || isForm === 1) && !isProvided && !isAuditColumn(jdbcName);
}

function fieldPlan(guess: Guess, targets: ReferenceTargets): FieldPlan {
  const kind = kindOf(guess, targets);
  const isMultiple = guess.componentType === 'checkbox' && (kind.builder === 'Dictionary' || kind.builder === 'Select');
  const hasDefault = kind.preset !== undefined;
  const isOptional = !hasDefault && (guess.isRequired !== 1 || guess.isForm !== 1);
  const isLong = /^(LongText|RichText)$/.test(kind.builder);
  const isSortable = guess.isQuery === 1 && !isMultiple && !isLong && kind.builder !== 'Reference';
  const title: LocalizedText = [guess.jdbcComment, guess.englishName];
  const traits = {
    ...(guess.isQuery === 1 ? { search: true } : {}),
    ...(isSortable ? { sort: true } : {}),
    ...comparison(guess, kind),
    ...(guess.isList === 1 ? {} : { list: false }),
    ...(guess.isForm === 1 ? {} : { form: false }),
    // Long fields are always wide.
    ...(guess.isRow === 1 && guess.isForm === 1 && !isLong ? { wide: true } : {}),
  };
  return {
    name: guess.propertyName,
    builder: kind.builder,
    traits: { title, ...kind.traits, ...traits },
    isMultiple,
    isOptional,
    sqlType: isMultiple ? 'jsonb' : kind.sqlType,
    preset: kind.preset,
    isUnique: guess.isUnique === 1 && !isMultiple && !isLong,
    isSortable,
    sample: isMultiple ? [kind.sample] : kind.sample,
  };
}

/** Field builders whose values can be searched by range. */
const rangeBuilders: ReadonlySet<string> = new Set(['Integer', 'Decimal', 'DateOnly', 'TimeOnly']);

/** Returns the comparison of a search where it differs from the field's default; times are always searched by range. */
function comparison({ isQuery, queryType }: Guess, { builder }: FieldKind): { readonly compare?: string } {
  if (isQuery !== 1 || !queryType || builder === 'DateTime') return {};
  if (queryType === 'between') return rangeBuilders.has(builder) ? { compare: queryType } : {};
  const isText = builder === 'Text' || builder === 'LongText' || builder === 'RichText';
  if (!isText && queryType.startsWith('like')) return {};
  return queryType === (isText ? 'like' : 'equal') ? {} : { compare: queryType };
}

function kindOf(guess: Guess, targets: ReferenceTargets): FieldKind {
  const { componentType, propertyType, dictCode, options, referenceTable } = guess;
  const target = referenceTable ? targets.get(referenceTable) : undefined;
  if (target && isNumber(propertyType)) return reference(target);
  if (options && options.length > 0 && /^(select|radio|checkbox)$/.test(componentType)) return parseOptions(options, isNumber(propertyType));
  if (dictCode && /^(select|radio|checkbox)$/.test(componentType))
    return { builder: 'Dictionary', traits: { code: dictCode }, sqlType: 'varchar(64)', sample: '1' };
  if (componentType === 'switch' || propertyType === 'Boolean')
    return isNumber(propertyType)
      ? { builder: 'BooleanInt', sqlType: 'integer', preset: '0', sample: 1 }
      : { builder: 'Flag', sqlType: 'boolean', preset: 'false', sample: true };
  if (propertyType === 'Date') return dateOrTime(guess.jdbcType);
  if (componentType === 'editor') return { builder: 'RichText', sqlType: 'text', sample: '<p>Sample</p>' };
  if (componentType === 'textarea' && propertyType === 'String') return { builder: 'LongText', sqlType: 'text', sample: 'Sample' };
  return isNumber(propertyType) || propertyType === 'Double' || propertyType === 'BigDecimal' ? numeric(guess) : text(guess);
}

const isNumber = (type: Guess['propertyType']) => type === 'Integer' || type === 'Long';

const reference = ({ apiPath, title }: { apiPath: string; title: string }): FieldKind => ({
  builder: 'Reference',
  traits: { from: { call: { path: `${apiPath}/list` }, paged: true, title } },
  sqlType: 'bigint',
  sample: '1',
});

const chinese = /[\u3400-\u9fff]/;

/** Returns the English title of an option, whose label has one language only. */
const englishTitle = (title: string, value: string, position: number) => {
  if (!chinese.test(title)) return title;
  if (/^\d+$/.test(value)) return `Option ${value}`;
  return chinese.test(value) ? `Option ${position + 1}` : value;
};

/** Options with stored value and label: `1=启用`. */
function parseOptions(options: readonly string[], isNumeric: boolean): FieldKind {
  const split = options.map((option) => {
    const separatorIndex = option.indexOf('=');
    return separatorIndex > 0 && separatorIndex < option.length - 1
      ? ([option.slice(0, separatorIndex), option.slice(separatorIndex + 1)] as const)
      : ([option, option] as const);
  });
  const areNumbers = isNumeric && split.every(([value]) => /^\d{1,9}$/.test(value));
  const values = split.map(([value, title], position) => [areNumbers ? Number(value) : value, [title, englishTitle(title, value, position)]]);
  return { builder: 'Select', traits: { options: values }, sqlType: areNumbers ? 'integer' : 'text', sample: values[0]?.[0] };
}

function dateOrTime(type: string): FieldKind {
  if (type === 'date') return { builder: 'DateOnly', sqlType: 'date', sample: '2026-01-31' };
  if (/^time( |$)/.test(type)) return { builder: 'TimeOnly', sqlType: 'time(0)', sample: '08:30:00' };
  return { builder: 'DateTime', sqlType: 'timestamptz(0)', sample: '2026-01-31 08:30:00' };
}

function numeric({ propertyType, jdbcScale, jdbcLength }: Guess): FieldKind {
  const isLarge = propertyType === 'Long' || (propertyType === 'BigDecimal' && jdbcScale === 0 && (jdbcLength ?? 0) > 9);
  if (isLarge) return { builder: 'Integer', traits: { minimum: -maxInteger, maximum: maxInteger }, sqlType: 'bigint', sample: 1 };
  if (propertyType === 'Integer' || (propertyType === 'BigDecimal' && jdbcScale === 0)) return { builder: 'Integer', sqlType: 'integer', sample: 1 };
  const decimals = Math.min(jdbcScale ?? (propertyType === 'Double' ? 6 : 2), 10);
  return { builder: 'Decimal', traits: { decimals }, sqlType: 'double precision', sample: 1 };
}

function text({ jdbcLength }: Guess): FieldKind {
  const maxLength = Math.min(Math.max(jdbcLength ?? 255, 1), 4000);
  return { builder: 'Text', traits: { maxLength }, sqlType: `varchar(${maxLength})`, sample: 'Sample'.slice(0, maxLength) };
}
