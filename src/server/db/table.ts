import { boolean, customType, doublePrecision, integer, jsonb, type PgColumn, type PgTableWithColumns, pgTable, text } from 'drizzle-orm/pg-core';
import type { Entity, RowOf } from '#shared/contract';
import { snakeCase } from '#shared/text';
import { type FieldType, typeOfField } from './field-type.ts';

/** Columns the database fills when an insert leaves them out. */
type Filled = 'id' | 'createUser' | 'createDept' | 'createTime' | 'updateUser' | 'updateTime' | 'status' | 'isDeleted';

type ColumnOf<Name, Value> = PgColumn<{
  name: string;
  tableName: string;
  dataType: 'custom';
  columnType: 'PgCustomColumn';
  data: NonNullable<Value>;
  driverParam: unknown;
  notNull: null extends Value ? false : true;
  hasDefault: Name extends Filled ? true : false;
  isPrimaryKey: false;
  isAutoincrement: false;
  hasRuntimeDefault: false;
  enumValues: undefined;
}>;

/** The Drizzle table of an entity: its fields as typed columns, so that selects infer the row. */
export type TableOf<E extends Entity> = PgTableWithColumns<{
  name: string;
  schema: undefined;
  dialect: 'pg';
  columns: { [Name in keyof RowOf<E> & string]-?: ColumnOf<Name, RowOf<E>[Name]> };
}>;

/** 64-bit: decimal text on this side. */
const bigId = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint', fromDriver: String, toDriver: String });
/** 64-bit in the database, within 53 bits on this side. */
const bigWhole = customType<{ data: number; driverData: string }>({ dataType: () => 'bigint', fromDriver: Number, toDriver: String });
/** The driver's text begins `yyyy-MM-dd HH:mm:ss` in the session's zone; its offset is not the wire's business. */
const moment = customType<{ data: string; driverData: string }>({ dataType: () => 'timestamptz(0)', fromDriver: (value) => value.slice(0, 19) });

const tables = new WeakMap<Entity, unknown>();

/** The table an entity's rows are kept in; `compareTables` says where a migration and the entity differ. */
export function tableOf<E extends Entity>(entity: E): TableOf<E> {
  const known = tables.get(entity) ?? pgTable(snakeCase(entity.name), columnsOf(entity));
  tables.set(entity, known);
  return known as TableOf<E>;
}

function columnsOf(entity: Entity) {
  return Object.fromEntries(Object.entries(entity.fields).map(([name, schema]) => [name, columnOf(snakeCase(name), typeOfField(schema))]));
}

function columnOf(name: string, type: FieldType) {
  const column = builderOf(name, type);
  return type.nullable ? column : column.notNull();
}

function builderOf(name: string, { kind, sqlType }: FieldType) {
  switch (kind) {
    case 'id':
      return bigId(name);
    case 'time':
      return moment(name);
    case 'whole':
      return sqlType === 'integer' ? integer(name) : bigWhole(name);
    case 'number':
      return doublePrecision(name);
    case 'flag':
      return boolean(name);
    case 'json':
      return jsonb(name);
    default:
      return text(name);
  }
}
