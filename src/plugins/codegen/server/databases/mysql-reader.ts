import { type Column, type DatabaseReader, type DatabaseTable, maxColumns, maxTables, parseColumnType } from './structure.ts';

/** Runs a query on MySQL or MariaDB; values replace its question marks. */
export type QueryMysql = (statement: string, values: readonly string[]) => Promise<readonly object[]>;

interface ColumnRow {
  readonly name: string;
  readonly comment: string;
  readonly written: string;
  readonly nullable: string;
  readonly columnKey: string;
  readonly target: string | null;
}

/** Reads the `information_schema` of MySQL or MariaDB. */
export const mysqlReader = (query: QueryMysql, database: string): DatabaseReader => ({
  async version() {
    const [row] = (await query('select version() as version', [])) as { version: string }[];
    const version = row?.version ?? '';
    return /mariadb/i.test(version) ? `MariaDB ${version.replace(/-mariadb.*/i, '')}` : `MySQL ${version}`;
  },

  async tables() {
    const statement = `
      select table_name as name, table_comment as comment from information_schema.tables
      where table_schema = ? and table_type = 'BASE TABLE' order by table_name limit ${maxTables}`;
    return (await query(statement, [database])) as DatabaseTable[];
  },

  async columns(table) {
    const statement = `
      select
        c.column_name as name, c.column_comment as comment, c.column_type as written, c.is_nullable as nullable, c.column_key as columnKey, k.target
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      left join (
        select column_name as name, min(referenced_table_name) as target from information_schema.key_column_usage
        where table_schema = ? and table_name = ? and referenced_table_name is not null group by column_name
      ) k on k.name = c.column_name
      where c.table_schema = ? and c.table_name = ? order by c.ordinal_position limit ${maxColumns}`;
    const rows = (await query(statement, [database, table, database, table])) as ColumnRow[];
    const keys = rows.filter(({ columnKey }) => columnKey === 'PRI').length;
    return rows.map((row) => columnOf(row, keys === 1));
  },
});

function columnOf({ name, comment, written, nullable, columnKey, target }: ColumnRow, isOnlyKey: boolean): Column {
  const options = /^enum\(/i.test(written) ? quoted(written) : [];
  return {
    name,
    comment,
    ...(/^(enum|set)\(/i.test(written)
      ? { type: written.slice(0, written.indexOf('(')).toLowerCase(), length: undefined, scale: undefined }
      : parseColumnType(written)),
    isNullable: nullable === 'YES',
    isKey: columnKey === 'PRI',
    isUnique: columnKey === 'UNI' || (columnKey === 'PRI' && isOnlyKey),
    options,
    references: target ?? undefined,
  };
}

/** Returns the values in `enum('a','it''s')`. */
const quoted = (written: string) => [...written.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
