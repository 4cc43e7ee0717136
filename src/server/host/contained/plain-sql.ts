import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { PlainSql } from './protocol.ts';

const dialect = new PgDialect();

/** Writes a condition or a statement of Drizzle as text with its parameters. */
export function plainSql(statement: SQL): PlainSql {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, parameters: params };
}

/** Reads what `plainSql` has written. */
export function sqlOf({ text, parameters }: PlainSql): SQL {
  const parts = text.split(/\$(\d+)/);
  return sql.join(parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${parameters[Number(part) - 1]}`)));
}
