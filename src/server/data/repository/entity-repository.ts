import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, FormOf, ListInput, Page, RowOf } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import type { HistoryInput } from '#shared/history-schemas';
import { recordChange } from '../context/changes.ts';
import { platformTenant } from '../context/identity.ts';
import type { Database } from '../database/database.ts';
import { isId } from '../database/rows.ts';
import { type TableOf, tableOf } from '../schema/table.ts';
import { assertUnique, findDuplicates } from './duplicates.ts';
import { assertFieldRules } from './field-rules.ts';
import { keysetCursor, type Walk } from './keyset-cursor.ts';
import { orderBy, orderOf } from './order.ts';
import type { NamedTable } from './page-statements.ts';
import { Pages } from './pages.ts';
import { readHistory, type StoredHistory } from './record-history.ts';
import { assertUnused } from './record-uses.ts';
import type { Repository, RepositoryOptions, RowChange, WriteContext } from './repository.ts';
import { assertCurrentVersion } from './row-conflict.ts';
import { scopeOf, withoutHidden } from './row-scope.ts';
import { applyDefaults, forInsert, forRestore, forSoftDelete, forUpdate, isRestorable, type Row } from './row-values.ts';
import { resolveSignedLinks } from './signed-links.ts';
import { asApiError, readUniqueIndexes, type UniqueIndexes, writeProblem } from './write-problems.ts';

/** The only implementation of `Repository`. */
export class EntityRepository<E extends Entity, Form extends object> implements Repository<E, Form> {
  readonly table: TableOf<E>;
  /** The same table, typed for code that is independent of the entity. */
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
    this.pages = new Pages(db, entity, options.noTotal);
    db.entities.set(entity.name, entity);
    db.references.add(entity);
  }

  page(input: ListInput, where?: SQL): Promise<Page<RowOf<E>>> {
    return this.pages.page(input, and(this.restriction(), where));
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
    if (!isId(id)) throw new ApiError(problems.notFound);
    const [row] = await this.select(eq(this.rows.id, id));
    if (!row) throw new ApiError(problems.notFound);
    return row as RowOf<E>;
  }

  async save(form: Form | RowChange<Form>): Promise<RowOf<E>> {
    this.assertNotPublic();
    const { id, version } = form as { id?: unknown; version?: unknown };
    const before = id === undefined || id === null || id === '' ? undefined : (await this.lockRows([String(id)]))[0];
    if (before) await assertCurrentVersion(this.db, this.entity, before, version);
    const { parent, placed } = await this.resolvePosition(form as Row, before);
    const completed = await this.options.complete?.(form as Form, { before, parent } as WriteContext<E>);
    const formValues = { ...(before ? withoutHidden(this.entity, form) : form), ...completed, ...placed };
    const full = { ...formValues, ...applyDefaults(this.entity, { ...before, ...formValues }) } as FormOf<E>;
    this.db.validateRow?.(this.entity, full as Row, before);
    await this.options.beforeSave?.(full, before as RowOf<E> | undefined);
    await assertFieldRules(this.db, this.entity, { ...before, ...full }, before);
    const { encryption } = this.db;
    const values = await this.withStoredLinks(before ? forUpdate(this.entity, full, encryption) : forInsert(this.entity, full, encryption), before);
    await this.assertUnique({ ...before, ...values }, before?.id);
    const after = await this.write(values, before?.id);
    await this.assertInScope(after.id);
    recordChange({ entity: this.entity.name, id: String(after.id), before, after });
    await this.options.saved?.(after as RowOf<E>, before as RowOf<E> | undefined);
    return after as RowOf<E>;
  }

  walk(input: ListInput, { where, ...walk }: Walk = {}): () => Promise<RowOf<E>[]> {
    return keysetCursor(this.db, this.entity, this.rows, input, { ...walk, where: and(this.restriction(), where) }) as () => Promise<RowOf<E>[]>;
  }

  async addAll(forms: readonly Form[]): Promise<(RowOf<E> | ApiError)[]> {
    this.assertNotPublic();
    const { scope } = this.db;
    const part = <Result>(work: () => Promise<Result>) => (scope ? this.db.write(scope, work) : work());
    if (this.canAddBatch()) {
      try {
        return await part(() => this.addBatch(forms));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // One invalid row failed the batch; saving the rows one by one shows which.
      }
    }
    const outcomes: (RowOf<E> | ApiError)[] = [];
    for (const form of forms) outcomes.push(await part(() => this.save(form)).catch(asApiError));
    return outcomes;
  }

  async decrypt(id: string, field: keyof E['fields'] & string): Promise<string | undefined> {
    const schema = this.entity.fields[field];
    if (!schema || !isSecret(schema)) throw new Error(`${this.entity.name}.${field} is not a secret.`);
    if (!isId(id)) throw new ApiError(problems.notFound);
    // The column is selected as raw SQL, because the typed column returns the mask.
    const sealed = sql<string | null>`${this.rows[field]}`;
    const [row] = await this.db.sql
      .select({ sealed })
      .from(this.rows)
      .where(and(this.undeleted(), eq(this.rows.id, id)));
    if (!row) throw new ApiError(problems.notFound);
    return row.sealed === null ? undefined : this.db.encryption.decrypt(row.sealed);
  }

  async remove(ids: readonly string[]): Promise<void> {
    this.assertNotPublic();
    const rows = await this.lockRows([...new Set(ids.map(String))]);
    await this.assertRemovable(rows);
    await this.options.beforeRemove?.(rows as RowOf<E>[]);
    await assertUnused(this.db, this.entity, rows);
    const lockRows = rows.map((row) => String(row.id));
    await this.db.sql.update(this.rows).set(forSoftDelete()).where(inArray(this.rows.id, lockRows));
    for (const before of rows) recordChange({ entity: this.entity.name, id: String(before.id), before, after: undefined });
    await this.options.removed?.(rows as RowOf<E>[]);
  }

  async restore(ids: readonly string[]): Promise<void> {
    this.assertNotPublic();
    const uniqueIds = [...new Set(ids.map(String))];
    if (!uniqueIds.every(isId)) throw new ApiError(problems.notFound);
    const rows = await this.db.sql
      .select(getTableColumns(this.rows))
      .from(this.rows)
      .where(and(inArray(this.rows.id, uniqueIds), isRestorable(this.rows as never), this.restriction()))
      .orderBy(this.rows.id)
      .for('update');
    if (rows.length !== uniqueIds.length) throw new ApiError(problems.tooLateToUndo);
    for (const row of rows) {
      await this.assertUnique(row, row.id);
      const after = await this.write(forRestore(), row.id);
      recordChange({ entity: this.entity.name, id: String(after.id), before: undefined, after, action: 'restored' });
      await this.options.saved?.(after as RowOf<E>, undefined);
    }
  }

  history(input: HistoryInput): Promise<StoredHistory> {
    return readHistory({ db: this.db, entity: this.entity, table: this.rows, where: this.restriction() }, input);
  }

  /** Tests whether rows can be inserted by one statement, which requires that validation needs only their own values. */
  protected canAddBatch(): boolean {
    return this.options.beforeSave === undefined && scopeOf(this.entity) === undefined;
  }

  private async addBatch(forms: readonly Form[]): Promise<(RowOf<E> | ApiError)[]> {
    const prepared = await Promise.all(forms.map((form) => this.valuesToAdd(form).catch(asApiError)));
    const values = prepared.filter((one): one is Row => !(one instanceof ApiError));
    const duplicates = await findDuplicates(
      { db: this.db, entity: this.entity, table: this.rows, undeleted: this.undeleted() },
      this.options.unique ?? [],
      values,
    );
    const fresh = values.filter((row) => !duplicates.has(row));
    const rows = fresh.length > 0 ? await this.insert(fresh) : [];
    const written = new Map(fresh.map((row, index) => [row, rows[index] as Row]));
    for (const after of rows) {
      recordChange({ entity: this.entity.name, id: String(after.id), before: undefined, after });
      await this.options.saved?.(after as RowOf<E>, undefined);
    }
    return prepared.map((one) => (one instanceof ApiError ? one : (duplicates.get(one) ?? written.get(one)))) as (RowOf<E> | ApiError)[];
  }

  private async valuesToAdd(form: Form): Promise<Row> {
    const completed = await this.options.complete?.(form as Form, { before: undefined, parent: undefined });
    const formValues: Row = { ...form, ...completed };
    const full = { ...formValues, ...applyDefaults(this.entity, formValues) };
    this.db.validateRow?.(this.entity, full, undefined);
    await assertFieldRules(this.db, this.entity, full, undefined);
    return this.withStoredLinks(forInsert(this.entity, full, this.db.encryption), undefined);
  }

  private async withStoredLinks(values: Row, before: Row | undefined): Promise<Row> {
    const { links } = this.db;
    return links ? resolveSignedLinks(links, this.entity, values, before) : values;
  }

  private async insert(values: readonly Row[]): Promise<Row[]> {
    this.uniqueIndexes ??= await readUniqueIndexes(this.db, this.rows);
    try {
      return await this.db.sql
        .insert(this.rows)
        .values([...values])
        .returning(getTableColumns(this.rows));
    } catch (error) {
      throw writeProblem(this.entity, this.uniqueIndexes, this.options.unique ?? [], error);
    }
  }

  /** Determines the position of a row, and the fields that store it. */
  protected async resolvePosition(_form: Row, _before: Row | undefined): Promise<{ parent: Row | undefined; placed: Row }> {
    return { parent: undefined, placed: {} };
  }

  /** Lets a kind of repository reject a removal. */
  protected async assertRemovable(_rows: readonly Row[]): Promise<void> {}

  /** Returns the default order of rows. */
  protected order(): SQL[] {
    return this.entity.order.length > 0 ? orderBy(orderOf(this.entity, {})) : [sql`${this.rows.id}`];
  }

  protected select(where: SQL | undefined) {
    return this.db.sql.select(getTableColumns(this.rows)).from(this.rows).where(and(this.undeleted(), where)).$dynamic();
  }

  protected undeleted(): SQL | undefined {
    return and(sql`${this.rows.isDeleted} = 0`, this.restriction());
  }

  /** Combines the domain's condition with the actor's data scope. */
  private restriction(): SQL | undefined {
    return and(this.options.where?.(), scopeOf(this.entity));
  }

  /** Rejects a written row outside the actor's own data scope. */
  private async assertInScope(id: unknown): Promise<void> {
    const scope = scopeOf(this.entity);
    if (!scope) return;
    const [seen] = await this.db.sql
      .select({ id: this.rows.id })
      .from(this.rows)
      .where(and(eq(this.rows.id, id), scope));
    if (!seen) throw new ApiError(problems.outsideScope);
  }

  /** Rejects writes of other tenants to platform rows, which every tenant can read; the error is therefore `forbidden`, not `notFound`. */
  private assertNotPublic(): void {
    const { scope } = this.db;
    if (this.entity.owner === 'platform' && scope && scope.tenantId !== platformTenant) throw new ApiError(problems.forbidden);
  }

  /** Locks the rows of these ids until the transaction ends; throws if any is missing. */
  private async lockRows(ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    if (!ids.every(isId)) throw new ApiError(problems.notFound);
    const rows = await this.select(inArray(this.rows.id, [...ids]))
      .orderBy(this.rows.id)
      .for('update');
    if (rows.length !== ids.length) throw new ApiError(problems.notFound);
    return rows;
  }

  private async write(values: Row, id: unknown): Promise<Row> {
    const columns = getTableColumns(this.rows);
    this.uniqueIndexes ??= await readUniqueIndexes(this.db, this.rows);
    try {
      const [row] = await (id === undefined
        ? this.db.sql.insert(this.rows).values(values).returning(columns)
        : this.db.sql.update(this.rows).set(values).where(eq(this.rows.id, id)).returning(columns));
      if (!row) throw new ApiError(problems.notFound);
      return row;
    } catch (error) {
      throw writeProblem(this.entity, this.uniqueIndexes, this.options.unique ?? [], error);
    }
  }

  private assertUnique(row: Row, id: unknown): Promise<void> {
    const undeleted = and(sql`${this.rows.isDeleted} = 0`, this.options.where?.());
    return assertUnique({ db: this.db, entity: this.entity, table: this.rows, undeleted }, this.options.unique ?? [], row, id);
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
