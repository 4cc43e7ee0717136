import { snakeCase } from '#shared/text';
import type { EntityPlan, FieldPlan, PluginPlan } from './plan.ts';

/** Emits the tables as SQL. */
export const migrationFile = ({ main, details }: PluginPlan): string => [main, ...(details ? [details] : [])].map(tableOf).join('\n');

/** Calls procedures of the kernel's migrations: `sort_by` adds an index for sorting by a column, `own_by_tenant` row level security and the row counter. */
function tableOf({ table, fields }: EntityPlan): string {
  const columns = ['like tenant_row including all', ...fields.map(columnSql)];
  const unique = fields
    .filter(({ isUnique }) => isUnique)
    .map((field) => `create unique index on ${identifier(table)} (tenant_id, ${column(field)}) where is_deleted = 0;`);
  const sortIndexes = fields.filter(({ isSortable }) => isSortable).map(({ name }) => `call sort_by('${identifier(table)}', '${snakeCase(name)}');`);
  const parts = [
    `create table ${identifier(table)} (\n${columns.map((one) => `  ${one}`).join(',\n')}\n);`,
    `call own_by_tenant('${identifier(table)}');`,
    unique.join('\n'),
    sortIndexes.join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const column = ({ name }: FieldPlan) => identifier(snakeCase(name));

function columnSql(field: FieldPlan): string {
  const defaultSql = field.preset === undefined ? '' : ` default ${field.preset}`;
  return `${column(field)} ${field.sqlType}${field.isOptional ? '' : ` not null${defaultSql}`}`;
}

/** Reserved words of PostgreSQL. Only these need quotes, because names consist of letters, digits and underscores. */
const reserved = new Set(
  'all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where window with'.split(
    ' ',
  ),
);

export const isReserved = (name: string): boolean => reserved.has(name);
const identifier = (name: string) => (reserved.has(name) ? `"${name}"` : name);
