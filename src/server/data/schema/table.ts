import { sql } from 'drizzle-orm';
import { boolean, customType, doublePrecision, integer, jsonb, type PgColumn, type PgTable, type PgTableWithColumns, pgTable, text } from 'drizzle-orm/pg-core';
import type { Static, TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { isEncrypted } from '../../base/encryption.ts';
import { type FieldType, typeOfField } from './field-type.ts';
import { safeHtml } from './safe-html.ts';

/** Columns the database fills when an insert omits them. */
type DefaultedColumn = 'id' | 'createUser' | 'createDept' | 'createTime' | 'updateUser' | 'updateTime' | 'status' | 'isDeleted' | 'version';

type ColumnOf<Name, Value> = PgColumn<{
  name: string;
  tableName: string;
  dataType: 'custom';
  columnType: 'PgCustomColumn';
  data: NonNullable<Value>;
  driverParam: unknown;
  notNull: null extends Value ? false : true;
  hasDefault: Name extends DefaultedColumn ? true : false;
  isPrimaryKey: false;
  isAutoincrement: false;
  hasRuntimeDefault: false;
  identity: undefined;
  generated: undefined;
  enumValues: undefined;
}>;

/** The Drizzle table of an entity, with its fields as typed columns, so that selects infer the row. */
export type TableOf<E extends Entity> = PgTableWithColumns<{
  name: string;
  schema: undefined;
  dialect: 'pg';
  columns: { [Name in keyof E['fields'] & string]-?: ColumnOf<Name, Static<E['fields'][Name]>> };
}>;

/** 64-bit id, represented as decimal text. */
const bigId = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint', fromDriver: String, toDriver: String });
/** 64-bit number in the database, limited to 53 bits in JavaScript. */
const bigWhole = customType<{ data: number; driverData: string }>({ dataType: () => 'bigint', fromDriver: Number, toDriver: String });
/** Time without offset: the driver's text begins `yyyy-MM-dd HH:mm:ss` in the session's time zone, and the wire format has no offset. */
const dateTime = customType<{ data: string; driverData: string }>({ dataType: () => 'timestamptz(0)', fromDriver: (value) => value.slice(0, 19) });

/** Transaction that wrote the row last. PostgreSQL maintains it for every row, so that it needs no column; drivers return it as text or as a number. */
const rowVersion = customType<{ data: string; driverData: string | number }>({ dataType: () => 'xid', fromDriver: String });

const day = customType<{ data: string; driverData: string }>({ dataType: () => 'date', fromDriver: (value) => value.slice(0, 10) });
const clock = customType<{ data: string; driverData: string }>({ dataType: () => 'time(0)', fromDriver: (value) => value.slice(0, 8) });

/** Formatted text, sanitized on every write so that scripts are never stored. */
const formattedText = (name: string, field: string) =>
  customType<{ data: string; driverData: string }>({ dataType: () => 'text', toDriver: (html) => safeHtml(html, field) })(name);

/** Mask shown in place of a secret. */
export const maskedSecret = '***';
/** Encrypted text: writes must be encrypted already, and rows only return the mask. */
const encryptedText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  fromDriver: () => maskedSecret,
  toDriver(value) {
    if (!isEncrypted(value)) throw new Error('Secrets must be written through the repository, or encrypted with the encryption of the database.');
    return value;
  },
});

/** Field of the version of each row, which no table stores as a column of its own. */
export const versionName = 'version';

const tables = new WeakMap<Entity, unknown>();

/** Returns the table of an entity; `compareTables` reports differences between migrations and the entity. */
export function tableOf<E extends Entity>(entity: E): TableOf<E> {
  const cachedTable = tables.get(entity) ?? pgTable(snakeCase(entity.name), columnsOf(entity));
  tables.set(entity, cachedTable);
  return cachedTable as TableOf<E>;
}

/** A table whose columns are reached by the names of their fields. */
export type NamedTable = PgTable & { readonly id: PgColumn; readonly [column: string]: unknown };

/** Returns the table of an entity that is known only at run time. */
export const namedTableOf = (entity: Entity): NamedTable => tableOf(entity) as unknown as NamedTable;

function columnsOf(entity: Entity) {
  return Object.fromEntries(Object.entries(entity.fields).map(([name, schema]) => [name, columnOf(name, schema)]));
}

function columnOf(field: string, schema: TSchema) {
  // A generated column is selected and returned, but never written.
  if (field === versionName) return rowVersion('xmin').generatedAlwaysAs(sql``);
  const name = snakeCase(field);
  const type = typeOfField(schema);
  const { widget } = traitsOf(schema) ?? {};
  const column = widget === 'rich-text' ? formattedText(name, field) : widget === 'secret' ? encryptedText(name) : builderOf(name, type);
  return type.nullable ? column : column.notNull();
}

function builderOf(name: string, { kind, sqlType }: FieldType) {
  switch (kind) {
    case 'id':
      return bigId(name);
    case 'time':
      return dateTime(name);
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
