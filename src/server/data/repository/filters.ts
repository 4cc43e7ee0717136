import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, ListInput } from '#shared/contract';
import { isFilterable } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import { isWireDateTime, wireFormats } from '#shared/formats';
import { isEmpty } from '#shared/text';
import { type FieldType, typeOfField } from '../schema/field-type.ts';
import { tableOf } from '../schema/table.ts';
import { isHidden } from './row-scope.ts';

/** Conditions of a list request besides the page; their values are filled in at execution, so that one statement serves many requests. */
export interface Filters {
  readonly conditions: readonly SQL[];
  /** Values by the names of the placeholders in the conditions. */
  readonly values: Readonly<Record<string, string>>;
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
const reserved = new Set(['current', 'size', 'ascs', 'descs', 'ids', 'exactTotal']);

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

/** Reads the filters of a request. An empty value means no filter; names that the schema does not mark as filterable, and invalid values, are rejected. */
export function filtersOf(entity: Entity, input: ListInput): Filters {
  const conditions: SQL[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(input)) {
    if (reserved.has(name) || name.endsWith('_ignore')) continue;
    if (isEmpty(value)) continue;
    const { field, condition } = parse(entity, name);
    const text = textOf(name, value);
    conditions.push(condition.toSql({ name, ...columnOf(entity, field), value: text }, sql.placeholder(name)));
    values[name] = condition.pattern ? condition.pattern[0] + text.replace(/[\\%_]/g, '\\$&') + condition.pattern[1] : text;
  }
  if (isEmpty(input.ids)) return { conditions, values };
  return { conditions: [...conditions, isAmong(entity)], values: { ...values, ids: idsIn(entity, input.ids) } };
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

function parse(entity: Entity, name: string): { field: string; condition: FilterOperator } {
  const cut = name.lastIndexOf('_');
  const [field, suffix] = isFilter(entity, name) || cut < 0 ? [name, 'like'] : [name.slice(0, cut), name.slice(cut + 1)];
  const condition = Object.hasOwn(operators, suffix) ? operators[suffix] : undefined;
  if (!condition || !isFilter(entity, field)) throw new ApiError(problems.unknownFilter, { name });
  return { field, condition };
}

function isFilter(entity: Entity, field: string): boolean {
  if (isFilterable(entity, field)) return !isHidden(entity, field);
  return field === tenantColumn && entity.owner === 'tenant' && !Object.hasOwn(entity.fields, field);
}

function textOf(name: string, value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new ApiError(problems.wrongParameter, { name });
  const text = String(value);
  if (text.includes('\0') || text.length > 4000) throw new ApiError(problems.wrongParameter, { name });
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
