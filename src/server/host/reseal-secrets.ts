import { setTimeout as pause } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { isEncrypted } from '../base/encryption.ts';
import type { Database } from '../data/database/database.ts';
import { queryRows } from '../data/database/rows.ts';

/** Result of encrypting secrets again. */
export interface ResealReport {
  readonly resealed: number;
  /** Numbers of secrets by column, `table.column`, that no key of the deployment decrypts. */
  readonly unreadable: ReadonlyMap<string, number>;
}

interface SecretColumn {
  readonly table: string;
  readonly column: string;
  /** Size of the table in blocks. */
  readonly blocks: number;
}

interface StoredSecret {
  readonly place: string;
  readonly text: string;
}

/** Blocks that are read at a time. */
const blocksAtOnce = 1000;
/** Largest number of blocks of a table. */
const maxBlocks = 4_294_967_294;
/** Shortest column that can hold an encrypted text. */
const minLength = 55;

/**
 * Encrypts the secrets in all tables with the current key that are encrypted with another one of the deployment, a few blocks at a time, while servers run. It pauses as
 * long as it works.
 */
export async function resealSecrets(db: Database): Promise<ResealReport> {
  const unreadable = new Map<string, number>();
  let resealed = 0;
  for (const column of await asPlatform(db, () => columnsOf(db))) {
    for (let from = 0; from <= column.blocks; from += blocksAtOnce) {
      const started = performance.now();
      const { changed } = await asPlatform(db, () => resealRows(db, column, from, from + blocksAtOnce));
      resealed += changed;
      if (changed > 0) await pause(performance.now() - started);
    }
    // Rows that were written meanwhile have moved to other blocks: one statement over the whole table finds those that are left.
    for (let isComplete = false; !isComplete; ) {
      const { readable, changed, unread } = await asPlatform(db, () => resealRows(db, column));
      resealed += changed;
      isComplete = readable === 0;
      if (isComplete && unread > 0) unreadable.set(`${column.table}.${column.column}`, unread);
    }
  }
  return { resealed, unreadable };
}

const asPlatform = <Result>(db: Database, work: () => Promise<Result>) => db.asPlatform('encrypts the secrets of all tenants with the current key', work);

/** Lists the columns of texts. */
function columnsOf(db: Database): Promise<SecretColumn[]> {
  return queryRows<SecretColumn>(
    db,
    sql`select c.relname as "table", a.attname as "column", (pg_relation_size(c.oid) / current_setting('block_size')::integer)::integer as blocks
        from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
          and t.typname in ('text', 'varchar') and (a.atttypmod = -1 or a.atttypmod - 4 >= ${minLength})
        order by 1, 2`,
  );
}

interface ResealedRows {
  /** Number of secrets that were found and decrypted. */
  readonly readable: number;
  /** Number of these that were stored again, as they had not changed meanwhile. */
  readonly changed: number;
  readonly unread: number;
}

/** Encrypts the secrets of a column again, in some blocks or in the whole table. */
async function resealRows(db: Database, { table, column }: SecretColumn, from = 0, end = maxBlocks): Promise<ResealedRows> {
  const { encryption } = db;
  const [tableName, columnName] = [sql.identifier(table), sql.identifier(column)];
  const isIn: SQL = sql`ctid >= ${`(${from},0)`}::tid and ctid < ${`(${end},0)`}::tid`;
  const found = await queryRows<StoredSecret>(
    db,
    sql`select ctid::text as place, ${columnName} as text from ${tableName}
        where ${isIn} and ${columnName} like 'sealed:%' and not starts_with(${columnName}, ${encryption.prefix})`,
  );
  const secrets = found.filter(({ text }) => isEncrypted(text));
  const resealed = secrets.flatMap(({ place, text }) => {
    const plain = decrypted(db, text);
    return plain === undefined ? [] : [{ place, before: text, after: encryption.encrypt(plain) }];
  });
  const changed =
    resealed.length === 0
      ? []
      : await queryRows(
          db,
          sql`update ${tableName} set ${columnName} = made.after from json_to_recordset(${JSON.stringify(resealed)}::json) as made (place text, before text, after text)
          where ctid = made.place::tid and ${columnName} = made.before returning 1 as changed`,
        );
  return { readable: resealed.length, changed: changed.length, unread: secrets.length - resealed.length };
}

function decrypted({ encryption }: Database, text: string): string | undefined {
  try {
    return encryption.decrypt(text);
  } catch {
    return undefined;
  }
}
