import { sql } from 'drizzle-orm';
import { queryRows } from '../../data/database/rows.ts';
import { applyMigrations, type Database } from '../../data/index.ts';
import type { ArchivedSequence, ArchivedTable, ArchiveManifest } from './archive.ts';
import { dumpedTables, quoted } from './dump-database.ts';
import type { ArchivedSchema } from './restorable.ts';

/**
 * Loads the rows of an archive into a new database, in one transaction that the caller holds: the migrations of the archive create the tables, and rows are inserted
 * without triggers and foreign keys, which return at the end.
 */
export class DatabaseLoader {
  private readonly tables = new Map<string, ArchivedTable>();
  private readonly keys: { table: string; name: string; definition: string }[] = [];

  private constructor(
    private readonly db: Database,
    private readonly manifest: ArchiveManifest,
    private readonly schema: ArchivedSchema,
  ) {}

  static async start(db: Database, manifest: ArchiveManifest, schema: ArchivedSchema): Promise<DatabaseLoader> {
    const loader = new DatabaseLoader(db, manifest, schema);
    await db.script('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    await applyMigrations(db, schema.migrations, true);
    await loader.prepareTables();
    return loader;
  }

  /** Inserts the lines of a chunk. False if the table is left out. */
  async insert(name: string, lines: readonly string[]): Promise<boolean> {
    const table = this.tables.get(name);
    if (!table) return false;
    const columns = table.columns.map((column) => quoted(column.name)).join(', ');
    const values = table.columns.map(({ type }, index) => `(line->>${index})::${type}`).join(', ');
    const rows = 'jsonb_array_elements($1::text::jsonb) as line';
    await this.db.rows(`insert into ${quoted(name)} (${columns}) overriding system value select ${values} from ${rows}`, [`[${lines.join(',')}]`]);
    return true;
  }

  /** Restores sequences, foreign keys and triggers. A foreign key that the rows violate fails. */
  async finish(sequences: readonly ArchivedSequence[]): Promise<void> {
    const { db } = this;
    for (const plugin of this.schema.missingPlugins) await db.rows('delete from schema_migration where plugin = $1', [plugin]);
    for (const { name, value, isCalled } of sequences)
      await db.rows('select setval(to_regclass($1), $2::bigint, $3::boolean) where to_regclass($1) is not null', [quoted(name), value, isCalled]);
    const keys = this.keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition};`);
    await db.script([...keys, ...this.eachTable((table) => `alter table ${table} enable trigger user;`)].join('\n'));
  }

  /** Creates the partitions of the archive, empties the tables and disables their triggers and foreign keys. */
  private async prepareTables(): Promise<void> {
    const { db, manifest } = this;
    await this.createPartitions();
    const created = await dumpedTables(db);
    const targets = new Map(created.map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]));
    const unknown: string[] = [];
    for (const table of manifest.tables) {
      const columns = targets.get(table.name);
      if (columns && table.columns.every(({ name }) => columns.has(name))) this.tables.set(table.name, table);
      else unknown.push(table.name);
    }
    if (unknown.length > 0 && !this.schema.leavesOutUnknown)
      throw new Error(
        `This build does not create these tables of the archive: ${unknown.join(', ')}. Restore it with a build whose plugins have them, or leave them out with --leave-out-unknown.`,
      );
    this.keys.push(...(await this.foreignKeys()));
    const dropped = this.keys.map(({ table, name }) => `alter table ${table} drop constraint ${quoted(name)};`);
    const emptied = `truncate ${created.map(({ name }) => quoted(name)).join(', ')};`;
    await db.script([...dropped, ...this.eachTable((table) => `alter table ${table} disable trigger user;`, created), emptied].join('\n'));
  }

  private foreignKeys() {
    return queryRows<{ table: string; name: string; definition: string }>(
      this.db,
      sql`select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
          where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
    );
  }

  /** Replaces the partitions that the migrations have created for the current months; default partitions stay. */
  private async createPartitions(): Promise<void> {
    const { db, manifest } = this;
    const isDefault = (bound: string) => bound === 'DEFAULT';
    const present = (await dumpedTables(db)).filter(({ partition }) => partition && !isDefault(partition.bound));
    const parents = new Set(
      (
        await queryRows<{ name: string }>(db, sql`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'p'`)
      ).map(({ name }) => name),
    );
    const dropped = present.map(({ name }) => `drop table ${quoted(name)};`);
    const created = manifest.tables.flatMap(({ name, partition }) =>
      partition && parents.has(partition.of) && !isDefault(partition.bound)
        ? `create table ${quoted(name)} partition of ${quoted(partition.of)} ${partition.bound};`
        : [],
    );
    await db.script([...dropped, ...created, 'select 1;'].join('\n'));
  }

  private eachTable(statement: (table: string) => string, tables: Iterable<{ readonly name: string }> = this.tables.values()): string[] {
    const names = new Set<string>();
    for (const { name } of tables) names.add(name);
    for (const { partition } of this.manifest.tables) if (partition && this.tables.has(partition.of)) names.add(partition.of);
    return [...names].map((name) => statement(quoted(name)));
  }
}
