import { boolean, customType, doublePrecision, integer, jsonb, type PgColumn, type PgTableWithColumns, pgTable, text } from 'drizzle-orm/pg-core';
import type { Static, TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { type FieldType, typeOfField } from './field-type.ts';
import { safeHtml } from './safe-html.ts';
import { isSealed } from './seals.ts';

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
  columns: { [Name in keyof E['fields'] & string]-?: ColumnOf<Name, Static<E['fields'][Name]>> };
}>;

/** 64-bit: decimal text on this side. */
const bigId = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint', fromDriver: String, toDriver: String });
/** 64-bit in the database, within 53 bits on this side. */
const bigWhole = customType<{ data: number; driverData: string }>({ dataType: () => 'bigint', fromDriver: Number, toDriver: String });
/** The driver's text begins `yyyy-MM-dd HH:mm:ss` in the session's zone; its offset is not the wire's business. */
const moment = customType<{ data: string; driverData: string }>({ dataType: () => 'timestamptz(0)', fromDriver: (value) => value.slice(0, 19) });

const day = customType<{ data: string; driverData: string }>({ dataType: () => 'date', fromDriver: (value) => value.slice(0, 10) });
const clock = customType<{ data: string; driverData: string }>({ dataType: () => 'time(0)', fromDriver: (value) => value.slice(0, 8) });

/** Whoever writes it, and by whatever way it came: what runs in a browser is not kept. */
const formattedText = customType<{ data: string; driverData: string }>({ dataType: () => 'text', toDriver: safeHtml });

/** What a row shows in place of a secret. */
export const struckSecret = '***';
/** Sealed by whoever writes it, and never read by way of its row. */
const sealedText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  fromDriver: () => struckSecret,
  toDriver(value) {
    if (!isSealed(value)) throw new Error('A secret is written through the repository of its rows, or sealed with the seals of the database.');
    return value;
  },
});

const tables = new WeakMap<Entity, unknown>();

/** The table an entity's rows are kept in; `compareTables` says where a migration and the entity differ. */
export function tableOf<E extends Entity>(entity: E): TableOf<E> {
  const known = tables.get(entity) ?? pgTable(snakeCase(entity.name), columnsOf(entity));
  tables.set(entity, known);
  return known as TableOf<E>;
}

function columnsOf(entity: Entity) {
  return Object.fromEntries(Object.entries(entity.fields).map(([name, schema]) => [name, columnOf(snakeCase(name), schema)]));
}

function columnOf(name: string, schema: TSchema) {
  const type = typeOfField(schema);
  const { widget } = traitsOf(schema) ?? {};
  const column = widget === 'rich-text' ? formattedText(name) : widget === 'secret' ? sealedText(name) : builderOf(name, type);
  return type.nullable ? column : column.notNull();
}

function builderOf(name: string, { kind, sqlType }: FieldType) {
  switch (kind) {
    case 'id':
      return bigId(name);
    case 'time':
      return moment(name);
    case 'day':
      return day(name);
    case 'clock':
      return clock(name);
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
