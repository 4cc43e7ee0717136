import { snakeCase } from '#shared/text';
import type { PrototypeForm, propertyTypes } from '../contract.ts';
import type { DatabaseColumn } from './databases/structure.ts';
import { humanize, isAuditColumn, isKernelProperty, propertyOf, uniqueName } from './names.ts';

/** Settings guessed for a column; the caller adds the model. */
export type Guess = Required<Omit<PrototypeForm, 'id' | 'version' | 'modelId'>>;

/** Facts beyond the columns. */
export interface GuessContext {
  /** Code that prefixes ambiguous property names: `film`. */
  readonly modelCode: string;
  /** Name of the table, so that a reference to itself is recognized as a tree. */
  readonly table: string;
  /** Codes of existing dictionaries. */
  readonly dictionaries: ReadonlySet<string>;
}

/** Guesses settings for each column: titles from comments, controls from types, options from enumerations. */
export function guessColumns(columns: readonly DatabaseColumn[], context: GuessContext): Guess[] {
  const usedNames = new Set<string>();
  return columns.map((column, sort) => {
    const propertyName = uniqueName(propertyFor(column, context), usedNames);
    usedNames.add(propertyName);
    return guessColumn(column, { ...context, propertyName, sort });
  });
}

function propertyFor({ name }: DatabaseColumn, { modelCode }: GuessContext): string {
  const property = propertyOf(name, 'field');
  return isKernelProperty(property) && !isAuditColumn(name) ? propertyOf(`${modelCode}_${snakeCase(property)}`, 'field') : property;
}

function guessColumn(column: DatabaseColumn, { propertyName, sort, dictionaries, table }: GuessContext & { propertyName: string; sort: number }): Guess {
  const propertyType = typeOf(column);
  const options = optionsOf(column);
  const dictCode = options ? null : dictionaryOf(column, dictionaries);
  const isProvided = (column.isKey && isInteger(propertyType)) || isAuditColumn(column.name);
  const isShown = !isProvided && !isBinary(column);
  const componentType = controlOf(column, { propertyType, hasOptions: options !== null || dictCode !== null, isSelfReference: column.references === table });
  const isLong = componentType === 'textarea' || componentType === 'editor';
  return {
    sort,
    jdbcName: column.name,
    jdbcType: column.type.slice(0, 64),
    jdbcLength: column.length ?? null,
    jdbcScale: column.scale ?? null,
    jdbcComment: titleOfComment(column.comment) || humanize(column.name),
    englishName: humanize(column.name),
    propertyName,
    propertyType,
    propertyEntity: javaTypes[propertyType],
    isKey: column.isKey ? 1 : 0,
    isUnique: column.isUnique ? 1 : 0,
    isList: isShown && !isLong ? 1 : 0,
    isForm: isShown ? 1 : 0,
    isRow: isLong ? 1 : 0,
    isRequired: isShown && !column.isNullable && propertyType !== 'Boolean' ? 1 : 0,
    isQuery: isShown && (componentType === 'select' || /(^|_)(name|title|code|no)$/i.test(column.name)) ? 1 : 0,
    componentType,
    dictCode,
    queryType: propertyType === 'String' && componentType === 'input' ? 'like' : 'equal',
    options,
    referenceTable: column.references?.slice(0, 64) ?? null,
  };
}

type PropertyType = (typeof propertyTypes)[number];

const javaTypes: Readonly<Record<PropertyType, string>> = {
  String: 'java.lang.String',
  Integer: 'java.lang.Integer',
  Long: 'java.lang.Long',
  Double: 'java.lang.Double',
  BigDecimal: 'java.math.BigDecimal',
  Boolean: 'java.lang.Boolean',
  Date: 'java.util.Date',
};

const isBinary = ({ type }: DatabaseColumn) => /^(bytea|binary|varbinary|(tiny|medium|long)?blob|geometry|point|polygon|linestring)/.test(type);
const isInteger = (type: PropertyType) => type === 'Integer' || type === 'Long';

function typeOf({ type, length }: DatabaseColumn): PropertyType {
  if (/^bool/.test(type) || (/^(tinyint|bit)/.test(type) && length === 1)) return 'Boolean';
  if (/^(bigint|bigserial|int8)/.test(type) || /^int.* unsigned/.test(type)) return 'Long';
  if (/^(tinyint|smallint|mediumint|int|integer|serial|year)/.test(type)) return 'Integer';
  if (/^(decimal|numeric|money)/.test(type)) return 'BigDecimal';
  if (/^(double|float|real)/.test(type)) return 'Double';
  return /^(date|time|timestamp)/.test(type) ? 'Date' : 'String';
}

function controlOf(
  { type, name, length }: DatabaseColumn,
  { propertyType, hasOptions, isSelfReference }: { propertyType: PropertyType; hasOptions: boolean; isSelfReference: boolean },
): Guess['componentType'] {
  if (isSelfReference) return 'tree';
  if (hasOptions) return 'select';
  if (propertyType === 'Boolean') return 'switch';
  if (propertyType === 'Date') return 'date';
  if (propertyType !== 'String') return 'number';
  if (/(^|_)(content|html|body)$/i.test(name) && /text/.test(type)) return 'editor';
  // PostgreSQL's `text` implies no length, and most such columns contain one line.
  return /^((tiny|medium|long)?text|json|jsonb|xml)/.test(type) && !/(^|_)(name|title|code|url|phone|city)$/i.test(name)
    ? 'textarea'
    : (length ?? 0) > 500
      ? 'textarea'
      : 'input';
}

/** Returns the part of a comment before its explanation: `状态：0 正常 1 停用` yields 状态. */
const titleOfComment = (comment: string) =>
  comment
    .split(/[:：,，;；(（[【\r\n\t]|\s{2,}/, 1)[0]
    ?.replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 64) ?? '';

/** Returns the values of an enumeration, or those a comment lists: `状态（0=正常，1=停用）`. */
function optionsOf({ options, comment }: DatabaseColumn): string[] | null {
  const plainValues = options.filter((value) => value !== '' && value.length <= 60).slice(0, 200);
  if (plainValues.length > 0) return [...new Set(plainValues)];
  const listed = [...comment.matchAll(/(?:^|[\s:：,，;；(（、])(\d{1,4})\s*[=:：\-\s]\s*([^\s\d,，;；、)）=:：]{1,30})/gu)].map(
    ([, value, title]) => `${value}=${title}`,
  );
  return listed.length > 1 ? [...new Set(listed)] : null;
}

/** Words by which comments refer to a dictionary. */
const dictionaryWords = ['字典', 'dict(?:ionary)?'] as const;
const namedDictionary = new RegExp(`(?:${dictionaryWords.join('|')})\\s*[:：=]?\\s*([A-Za-z][\\w-]{0,63})`, 'i');

/** Returns the dictionary a comment names (`字典 sex`, `dict:sex`), or one with the name of the column. */
function dictionaryOf({ name, comment, references }: DatabaseColumn, dictionaryCodes: ReadonlySet<string>): string | null {
  const named = namedDictionary.exec(comment)?.[1];
  if (named) return named;
  return references === undefined && dictionaryCodes.has(name.toLowerCase()) ? name.toLowerCase() : null;
}
