import { and, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, ListInput } from '#shared/contract';
import { isFilterable } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import { depthOf, type FilterGroup, filtersIn, GroupError, type GroupedFilter, groupLimits, isGroup, readGroup } from '#shared/filter-groups';
import { isWireDateTime, wireFormats } from '#shared/formats';
import { isEmpty } from '#shared/text';
import type { Database } from '../database/database.ts';
import { type FieldType, typeOfField } from '../schema/field-type.ts';
import { tableOf } from '../schema/table.ts';
import { isConcealed, isMasked } from '../scope/personal-fields.ts';
import { type TypedCondition, type TypedText, typedMatches } from '../search/typed-matches.ts';
import { isHidden } from './row-scope.ts';

/** Conditions of a list request besides the page; their values are filled in at execution, so that one statement serves many requests. */
export interface FilterConditions {
  readonly conditions: readonly SQL[];
  /** Values by the names of the placeholders in the conditions. */
  readonly values: Readonly<Record<string, string>>;
  /** Texts of filters by `match`. Their conditions depend on the rows that they find, so that no other request shares the statement. */
  readonly typed: readonly TypedText[];
}

/** One filter: its column, the field's type, the value as text and its name in the request, which is also the placeholder's name. */
interface Filter {
  readonly name: string;
  readonly column: PgColumn | SQL;
  readonly type: FieldType;
  readonly value: string;
}

/** Conversion of a filter to SQL, and of its value to a parameter. */
interface FilterOperator {
  toSql(filter: Filter, value: Placeholder): SQL;
  readonly pattern?: readonly [before: string, after: string];
}

/** Parameters of a list that do not filter its fields. */
const reserved = new Set(['current', 'size', 'ascs', 'descs', 'ids', 'exactTotal', 'totals', 'groups', 'where']);

const comparison = (operator: '=' | '<>' | '>=' | '<=' | '>' | '<'): FilterOperator => ({
  toSql: (filter, value) => {
    if (filter.type.kind === 'json' && (operator === '=' || operator === '<>')) return containment(operator, filter.column, value);
    return sql`${filter.column} ${sql.raw(operator)} ${value}::${operandType(filter)}`;
  },
});

/** Compares a field of several values: it equals each value it contains. */
const containment = (operator: '=' | '<>', column: Filter['column'], value: Placeholder): SQL =>
  operator === '=' ? sql`${column} @> jsonb_build_array(${value}::text)` : sql`not coalesce(${column} @> jsonb_build_array(${value}::text), false)`;

const patternMatch = (before: string, after: string, operator: 'like' | 'not like' = 'like'): FilterOperator => ({
  toSql: ({ column, type }, value) => sql`${asText(column, type)} ${sql.raw(operator)} ${value}::text`,
  pattern: [before, after],
});

const dateComparison = (operator: '=' | '>=' | '<=' | '>' | '<'): FilterOperator => ({
  toSql(filter, value) {
    if (filter.type.kind !== 'time' && filter.type.kind !== 'day') throw new ApiError(problems.unknownFilter, { name: filter.name });
    return comparison(operator).toSql(filter, value);
  },
});

/** Filter suffixes; docs/wire-format.md lists them. `several` is for fields of many values. */
const operators: Readonly<Record<string, FilterOperator>> = {
  equal: comparison('='),
  notequal: comparison('<>'),
  like: patternMatch('%', '%'),
  likeleft: patternMatch('%', ''),
  likeright: patternMatch('', '%'),
  match: patternMatch('%', '%'),
  notlike: patternMatch('%', '%', 'not like'),
  ge: comparison('>='),
  le: comparison('<='),
  gt: comparison('>'),
  lt: comparison('<'),
  datege: dateComparison('>='),
  dategt: dateComparison('>'),
  dateequal: dateComparison('='),
  datele: dateComparison('<='),
  datelt: dateComparison('<'),
  null: { toSql: ({ column, type }) => (type.kind === 'json' ? sql`coalesce(${column}, '[]') = '[]'` : sql`${column} is null`) },
  notnull: { toSql: ({ column, type }) => (type.kind === 'json' ? sql`coalesce(${column}, '[]') <> '[]'` : sql`${column} is not null`) },
  several: {
    toSql({ name, column, type }) {
      if (type.kind !== 'json') throw new ApiError(problems.unknownFilter, { name });
      return sql`case jsonb_typeof(${column}) when 'array' then jsonb_array_length(${column}) > 1 else false end`;
    },
  },
};

/**
 * Reads the filters of a request. An empty value means no filter; names that the schema does not mark as filterable, and invalid values, are rejected. Without
 * `typedCondition`, typed text is compared with the fields.
 */
export function filtersOf(entity: Entity, input: ListInput, typedCondition?: TypedCondition): FilterConditions {
  const conditions: SQL[] = [];
  const values: Record<string, string> = {};
  const typed: TypedText[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (reserved.has(name) || name.endsWith('_ignore')) continue;
    if (isEmpty(value)) continue;
    conditions.push(conditionOf(entity, { name, value }, { key: name, values, typed, typedCondition }));
  }
  if (!isEmpty(input.where)) conditions.push(...groupConditions(entity, textOf('where', input.where, groupLimits.length), { values, typed, typedCondition }));
  if (isEmpty(input.ids)) return { conditions, values, typed };
  return { conditions: [...conditions, isAmong(entity)], values: { ...values, ids: idsIn(entity, input.ids) }, typed };
}

/** Values of all placeholders and typed texts, to which each filter adds its own, and the conditions of the typed texts. */
interface FilterTarget {
  readonly values: Record<string, string>;
  readonly typed: TypedText[];
  readonly typedCondition: TypedCondition | undefined;
}

function conditionOf(
  entity: Entity,
  { name, value }: { name: string; value: unknown },
  { key, values, typed, typedCondition }: FilterTarget & { readonly key: string },
): SQL {
  const { field, operator, isWhole } = parse(entity, name);
  const isTyped = operator === operators.match;
  const text = isTyped ? textOf(name, value).trim() : textOf(name, value);
  if (isTyped) typed.push({ field, text });
  const found = isTyped ? typedCondition?.({ field, text }) : undefined;
  if (found) return found;
  // Statements are cached by the names of their values, and those of other callers compare parts.
  const place = isWhole ? `${key} as a whole` : key;
  values[place] = operator.pattern ? operator.pattern[0] + text.replace(/[\\%_]/g, '\\$&') + operator.pattern[1] : text;
  return operator.toSql({ name, ...columnOf(entity, field), value: text }, sql.placeholder(place));
}

/** Converts the parameter `where`. The names of its placeholders contain its shape, because statements and totals are cached by the names of their values. */
function groupConditions(entity: Entity, text: string, target: FilterTarget): SQL[] {
  const group = groupIn(text);
  if (filtersIn(group).length === 0) return [];
  const shape = shapeOf(group);
  let count = 0;
  const toSql = (part: GroupedFilter | FilterGroup): SQL | undefined => {
    count += 1;
    if (!isGroup(part)) return conditionOf(entity, part, { ...target, key: `where ${count} of ${shape}` });
    const parts = part.of.map(toSql).filter((one) => one !== undefined);
    return part.join === 'and' ? and(...parts) : or(...parts);
  };
  return [toSql(group)].filter((one) => one !== undefined);
}

const shapeOf = (part: GroupedFilter | FilterGroup): string => (isGroup(part) ? `${part.join}(${part.of.map(shapeOf).join()})` : part.name);

function groupIn(text: string): FilterGroup {
  try {
    const group = readGroup(text);
    if (depthOf(group) > groupLimits.depth) throw new GroupError('depth');
    return group;
  } catch (error) {
    if (!(error instanceof GroupError)) throw error;
    if (error.reason === 'depth') throw new ApiError(problems.groupsTooDeep, { max: String(groupLimits.depth) });
    if (error.reason === 'filters') throw new ApiError(problems.tooManyFilters, { max: String(groupLimits.filters) });
    throw new ApiError(problems.wrongParameter, { name: 'where' });
  }
}

/** Tenant column of tenant-owned rows, which is not a field. Row level security alone decides which tenants' rows are accessible. */
const tenantColumn = 'tenantId';
const tenantType: FieldType = { kind: 'text', sqlType: 'varchar(12)', nullable: false, maxLength: 12, range: undefined };

function columnOf(entity: Entity, field: string): Pick<Filter, 'column' | 'type'> {
  const schema = Object.hasOwn(entity.fields, field) ? entity.fields[field] : undefined;
  const table = tableOf(entity);
  if (!schema) return { column: sql`${table}.tenant_id`, type: tenantType };
  return { column: table[field] as PgColumn, type: typeOfField(schema) };
}

const isAmong = (entity: Entity) => sql`${tableOf(entity).id} = any(string_to_array(${sql.placeholder('ids')}::text, ',')::bigint[])`;

function idsIn(entity: Entity, ids: unknown): string {
  const text = textOf('ids', ids);
  const { range } = typeOfField(entity.fields.id as (typeof entity.fields)[string]);
  const isId = (id: string) => /^\d{1,19}$/.test(id) && isWithin(BigInt(id), range);
  if (!text.split(',').every(isId)) throw new ApiError(problems.wrongParameter, { name: 'ids' });
  return text;
}

function parse(entity: Entity, name: string): { field: string; operator: FilterOperator; isWhole: boolean } {
  const cut = name.lastIndexOf('_');
  const [field, suffix] = isFilter(entity, name) || cut < 0 ? [name, 'like'] : [name.slice(0, cut), name.slice(cut + 1)];
  const operator = Object.hasOwn(operators, suffix) ? operators[suffix] : undefined;
  if (!operator || !isFilter(entity, field)) throw new ApiError(problems.unknownFilter, { name });
  const isWhole = isConcealed(entity, field);
  return { field, operator: isWhole ? wholeValue(operator, name) : operator, isWhole };
}

/** Returns the operator for a field whose values the actor may not see: a part of a value finds nothing, and there is no order, because each answer would tell more of the value. */
function wholeValue(operator: FilterOperator, name: string): FilterOperator {
  const { equal, like, likeleft, likeright, match, notequal, null: isNull, notnull } = operators;
  if (operator === equal || operator === notequal || operator === isNull || operator === notnull) return operator;
  if (equal && (operator === like || operator === likeleft || operator === likeright || operator === match)) return equal;
  throw new ApiError(problems.unknownFilter, { name });
}

/** Returns the field by which a request groups rows; a field by which the actor cannot filter, of several values, or with masked ones is rejected. */
export function groupFieldOf(entity: Entity, { groups }: ListInput): string | undefined {
  if (isEmpty(groups)) return undefined;
  const name = textOf('groups', groups);
  const schema = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
  if (!schema || !isFilter(entity, name) || isMasked(entity, name) || typeOfField(schema).kind === 'json') throw new ApiError(problems.unknownFilter, { name });
  return name;
}

function isFilter(entity: Entity, field: string): boolean {
  if (isFilterable(entity, field)) return !isHidden(entity, field);
  return field === tenantColumn && entity.owner === 'tenant' && !Object.hasOwn(entity.fields, field);
}

function textOf(name: string, value: unknown, maxLength = 4000): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new ApiError(problems.wrongParameter, { name });
  const text = String(value);
  if (text.includes('\0') || text.length > maxLength) throw new ApiError(problems.wrongParameter, { name });
  return text;
}

/** Returns the operand type, stated because PostgreSQL would otherwise guess; throws for an invalid value. */
function operandType({ name, type, value }: Filter): SQL {
  // The error is created only when thrown, because its stack costs as much as the rest of the filter.
  const refused = () => new ApiError(problems.wrongParameter, { name });
  switch (type.kind) {
    case 'time':
      if (!isWireDateTime(value)) throw refused();
      return sql`timestamptz`;
    case 'day':
      if (!wireFormats.date?.(value)) throw refused();
      return sql`date`;
    case 'clock':
      if (!wireFormats['wire-time']?.(value)) throw refused();
      return sql`time`;
    case 'id':
    case 'whole':
      if (!/^[+-]?\d{1,19}$/.test(value) || !isWithin(BigInt(value), type.range)) throw refused();
      return sql.raw(type.sqlType);
    case 'number':
      if (!Number.isFinite(Number(value)) || value.trim() === '') throw refused();
      return sql`double precision`;
    case 'flag':
      if (!/^(true|false|0|1)$/.test(value)) throw refused();
      return sql`boolean`;
    case 'json':
      throw new ApiError(problems.unknownFilter, { name });
    default:
      return sql`text`;
  }
}

function isWithin(value: bigint, range: FieldType['range']): boolean {
  return range === undefined || (value >= range.min && value <= range.max);
}

/** Converts a column to the text that users see, for `like`. */
function asText(column: Filter['column'], { kind }: FieldType): SQL {
  if (kind === 'time') return sql`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`;
  return kind === 'text' ? sql`${column}` : sql`${column}::text`;
}

interface ListRead<Found> {
  read(filters: FilterConditions): Promise<Found>;
  isEmpty(found: Found): boolean;
  /** Tests whether more rows would change what was found. */
  isShort(found: Found): boolean;
}

/**
 * Reads a list with the filters of a request. Typed text is found by the closest search terms, and by all terms if those find too few rows. If no term leads to a row that
 * the caller may see, the list is read again and compares the text with the fields of all rows, which finds text inside of words.
 */
export async function readFiltered<Found>(db: Database, entity: Entity, input: ListInput, { read, isEmpty, isShort }: ListRead<Found>): Promise<Found> {
  const literal = filtersOf(entity, input);
  if (literal.typed.length === 0) return read(literal);
  const matches = await typedMatches(db, { entity: entity.name, as: entity.name }, literal.typed);
  let found = await read(filtersOf(entity, input, matches.closest));
  if (matches.hasMore && isShort(found)) found = await read(filtersOf(entity, input, matches.all));
  return isEmpty(found) && !matches.isExhaustive ? read(literal) : found;
}

/** Returns filters for a list that is read in steps, which finds text inside of words with its first step. */
export async function exhaustiveFilters(db: Database, entity: Entity, input: ListInput, literal: FilterConditions): Promise<FilterConditions> {
  if (literal.typed.length === 0) return literal;
  return filtersOf(entity, input, (await typedMatches(db, { entity: entity.name, as: entity.name }, literal.typed, { reads: true })).all);
}
