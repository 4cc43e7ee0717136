import { and, eq, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, FormOf, ListInput, Page, RowOf } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { recordChange } from '../audit/changes.ts';
import { platformTenant } from '../tenancy/identity.ts';
import type { Database } from './database.ts';
import { orderBy, orderOf } from './order.ts';
import type { NamedTable } from './page-statements.ts';
import { Pages } from './pages.ts';
import type { Repository, RepositoryOptions, Writing } from './repository.ts';
import { type TableOf, tableOf } from './table.ts';
import { alreadyExists, readUniqueIndexes, type UniqueIndexes, writeProblem } from './write-problems.ts';
import { added, type Row, removal, updated } from './written-row.ts';

/** The one implementation of `Repository`. */
export class EntityRepository<E extends Entity, Form extends object> implements Repository<E, Form> {
  readonly table: TableOf<E>;
  /** The same table for code that knows no particular entity. */
  protected readonly rows: NamedTable;
  private readonly pages: Pages<E>;
  private uniqueIndexes: UniqueIndexes | undefined;

  constructor(
    protected readonly db: Database,
    protected readonly entity: E,
    private readonly options: RepositoryOptions<E, Form>,
  ) {
    this.table = tableOf(entity);
    this.rows = this.table as unknown as NamedTable;
    this.pages = new Pages(db, entity);
  }

  page(input: ListInput, where?: SQL): Promise<Page<RowOf<E>>> {
    return this.pages.page(input, and(this.options.where?.(), where));
  }

  async list(where?: SQL, ...order: SQL[]): Promise<RowOf<E>[]> {
    const sorted = order.length > 0 ? order : this.order();
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

  async save(form: Form): Promise<RowOf<E>> {
    this.refuseGuests();
    const { id } = form as { id?: unknown };
    const before = id === undefined || id === null || id === '' ? undefined : (await this.held([String(id)]))[0];
    const { parent, placed } = await this.place(form as Row, before);
    const completed = await this.options.complete?.(form, { before, parent } as Writing<E>);
    const full = { ...form, ...completed, ...placed } as FormOf<E>;
    await this.options.beforeSave?.(full, before as RowOf<E> | undefined);
    const values = before ? updated(this.entity, full) : added(this.entity, full);
    await this.refuseTwin({ ...before, ...values }, before?.id);
    const after = await this.write(values, before?.id);
    recordChange({ entity: this.entity.name, id: String(after.id), before, after });
    await this.options.saved?.(after as RowOf<E>, before as RowOf<E> | undefined);
    return after as RowOf<E>;
  }

  async remove(ids: readonly string[]): Promise<void> {
    this.refuseGuests();
    const rows = await this.held([...new Set(ids.map(String))]);
    await this.refuseRemoval(rows);
    await this.options.beforeRemove?.(rows as RowOf<E>[]);
    const held = rows.map((row) => String(row.id));
    await this.db.sql.update(this.rows).set(removal()).where(inArray(this.rows.id, held));
    for (const before of rows) recordChange({ entity: this.entity.name, id: String(before.id), before, after: undefined });
    await this.options.removed?.(rows as RowOf<E>[]);
  }

  /** Where a row is to stand, and the fields that say so. */
  protected async place(_form: Row, _before: Row | undefined): Promise<{ parent: Row | undefined; placed: Row }> {
    return { parent: undefined, placed: {} };
  }

  /** What the kind of repository itself has against a removal. */
  protected async refuseRemoval(_rows: readonly Row[]): Promise<void> {}

  /** The order of rows where none is asked for. */
  protected order(): SQL[] {
    return this.entity.order.length > 0 ? orderBy(orderOf(this.entity, {})) : [sql`${this.rows.id}`];
  }

  protected select(where: SQL | undefined) {
    return this.db.sql.select(getTableColumns(this.rows)).from(this.rows).where(and(this.live(), where)).$dynamic();
  }

  private live(): SQL | undefined {
    return and(sql`${this.rows.isDeleted} = 0`, this.options.where?.());
  }

  /** Every tenant may read what is the platform's; for who may not write it, nothing is missing. */
  private refuseGuests(): void {
    const { scope } = this.db;
    if (this.entity.owner === 'platform' && scope && scope.tenantId !== platformTenant) throw new Refusal(problems.forbidden);
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
      throw writeProblem(this.entity, this.uniqueIndexes, this.options.unique ?? [], error);
    }
  }

  private async refuseTwin(row: Row, id: unknown): Promise<void> {
    for (const unique of this.options.unique ?? []) {
      const { fields } = unique;
      const values = Object.fromEntries(fields.map((field) => [field, row[field]]));
      if (fields.some((field) => row[field] === null || row[field] === undefined)) continue;
      const others = id === undefined ? undefined : ne(this.rows.id, id);
      const [twin] = await this.select(and(this.equal(values), others)).limit(1);
      if (twin) throw alreadyExists(this.entity, unique);
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

/** True for what the database can hold as an id. */
export const isId = (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
