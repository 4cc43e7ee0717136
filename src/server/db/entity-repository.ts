import { and, eq, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, FormOf, ListInput, Page, RowOf } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { recordChange } from '../audit/changes.ts';
import type { Database } from './database.ts';
import type { NamedTable } from './page-statements.ts';
import { Pages } from './pages.ts';
import type { Repository, RepositoryOptions } from './repository.ts';
import { type TableOf, tableOf } from './table.ts';
import { alreadyExists, readUniqueIndexes, type UniqueIndexes, writeProblem } from './write-problems.ts';
import { added, type Row, removal, updated } from './written-row.ts';

/** The one implementation of `Repository`. */
export class EntityRepository<E extends Entity> implements Repository<E> {
  readonly table: TableOf<E>;
  /** The same table for code that knows no particular entity. */
  private readonly rows: NamedTable;
  private readonly pages: Pages<E>;
  private uniqueIndexes: UniqueIndexes | undefined;

  constructor(
    private readonly db: Database,
    private readonly entity: E,
    private readonly options: RepositoryOptions<E>,
  ) {
    this.table = tableOf(entity);
    this.rows = this.table as unknown as NamedTable;
    this.pages = new Pages(db, entity);
  }

  page(input: ListInput, where?: SQL): Promise<Page<RowOf<E>>> {
    return this.pages.page(input, and(this.options.where?.(), where));
  }

  async list(where?: SQL, ...order: SQL[]): Promise<RowOf<E>[]> {
    const sorted = order.length > 0 ? order : [sql`${this.rows.id}`];
    return (await this.select(where).orderBy(...sorted)) as RowOf<E>[];
  }

  async find(values: Partial<RowOf<E>>): Promise<RowOf<E> | undefined> {
    const [row] = await this.select(this.equal(values)).limit(1);
    return row as RowOf<E> | undefined;
  }

  async detail(id: string): Promise<RowOf<E>> {
    if (!isId(id)) throw new Refusal(problems.notFound);
    const [row] = await this.select(eq(this.rows.id, id));
    if (!row) throw new Refusal(problems.notFound);
    return row as RowOf<E>;
  }

  async save(form: FormOf<E>): Promise<RowOf<E>> {
    const { id } = form as { id?: unknown };
    const before = id === undefined || id === null || id === '' ? undefined : (await this.held([String(id)]))[0];
    await this.options.beforeSave?.(form, before as RowOf<E> | undefined);
    const values = before ? updated(this.entity, form) : added(this.entity, form);
    await this.refuseTwin({ ...before, ...values }, before?.id);
    const after = await this.write(values, before?.id);
    recordChange({ entity: this.entity.name, id: String(after.id), before, after });
    await this.options.saved?.(after as RowOf<E>, before as RowOf<E> | undefined);
    return after as RowOf<E>;
  }

  async remove(ids: readonly string[]): Promise<void> {
    const rows = await this.held([...new Set(ids.map(String))]);
    await this.options.beforeRemove?.(rows as RowOf<E>[]);
    const held = rows.map((row) => String(row.id));
    await this.db.sql.update(this.rows).set(removal()).where(inArray(this.rows.id, held));
    for (const before of rows) recordChange({ entity: this.entity.name, id: String(before.id), before, after: undefined });
    await this.options.removed?.(rows as RowOf<E>[]);
  }

  private select(where: SQL | undefined) {
    return this.db.sql.select(getTableColumns(this.rows)).from(this.rows).where(and(this.live(), where)).$dynamic();
  }

  private live(): SQL | undefined {
    return and(sql`${this.rows.isDeleted} = 0`, this.options.where?.());
  }

  /** The rows of these ids, kept from others until the transaction ends; all of them or a refusal. */
  private async held(ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    if (!ids.every(isId)) throw new Refusal(problems.notFound);
    const rows = await this.select(inArray(this.rows.id, [...ids]))
      .orderBy(this.rows.id)
      .for('update');
    if (rows.length !== ids.length) throw new Refusal(problems.notFound);
    return rows;
  }

  private async write(values: Row, id: unknown): Promise<Row> {
    const columns = getTableColumns(this.rows);
    this.uniqueIndexes ??= await readUniqueIndexes(this.db, this.rows);
    try {
      const [row] = await (id === undefined
        ? this.db.sql.insert(this.rows).values(values).returning(columns)
        : this.db.sql.update(this.rows).set(values).where(eq(this.rows.id, id)).returning(columns));
      if (!row) throw new Refusal(problems.notFound);
      return row;
    } catch (error) {
      throw writeProblem(this.entity, this.uniqueIndexes, error);
    }
  }

  private async refuseTwin(row: Row, id: unknown): Promise<void> {
    for (const fields of this.options.unique ?? []) {
      const values = Object.fromEntries(fields.map((field) => [field, row[field]]));
      if (fields.some((field) => row[field] === null || row[field] === undefined)) continue;
      const others = id === undefined ? undefined : ne(this.rows.id, id);
      const [twin] = await this.select(and(this.equal(values), others)).limit(1);
      if (twin) throw alreadyExists(this.entity, fields);
    }
  }

  private equal(values: object): SQL | undefined {
    return and(
      ...Object.entries(values).map(([field, value]) => {
        const column = this.rows[field] as PgColumn;
        return value === null || value === undefined ? sql`${column} is null` : eq(column, value);
      }),
    );
  }
}

const isId = (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
