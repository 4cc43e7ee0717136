import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity, FormOf, RowOf } from '#shared/contract';
import { ApiError, type Problem, problems } from '#shared/errors';
import type { HistoryInput } from '#shared/history-schemas';
import { type RowState, rowStates } from '#shared/row-states';
import { recordChange } from '../context/changes.ts';
import { hasId, isId } from '../database/rows.ts';
import { withoutMaskedValues } from '../scope/personal-fields.ts';
import { assertUnique, type ComparedRows, findDuplicates } from './duplicates.ts';
import { EntityReader } from './entity-reader.ts';
import { assertFieldRules } from './field-rules.ts';
import { readHistory, type StoredHistory } from './record-history.ts';
import { assertUnused, lockReferences, unusableReferences } from './record-uses.ts';
import type { ChangedRow, Repository, RowChange, RowSelection, SingleStatuses, WriteContext } from './repository.ts';
import { assertCurrentVersion, assertEditable, assertStates, assertTransition, transitionNamed } from './row-conflict.ts';
import { scopeOf, withoutHidden } from './row-scope.ts';
import { applyVisibility, forChange, forInsert, forReactivation, forState, forTransition, forUpdate, isRestorable, type RowValues } from './row-values.ts';
import { resolveSignedLinks } from './signed-links.ts';
import { asApiError, readUniqueIndexes, type UniqueIndexes, writeProblem } from './write-problems.ts';

/** The only implementation of `Repository`. */
export class EntityRepository<E extends Entity, Form extends object> extends EntityReader<E, Form> implements Repository<E, Form> {
  private uniqueIndexes: UniqueIndexes | undefined;

  async save(sent: Form | RowChange<Form>): Promise<RowOf<E>> {
    this.assertTenantCanWrite();
    const { id, version } = sent as { id?: unknown; version?: unknown };
    const before = id === undefined || id === null || id === '' ? undefined : (await this.lockRows([String(id)], 'no key update'))[0];
    if (before) await assertCurrentVersion(this.db, this.entity, before, version);
    if (before) assertEditable(this.entity, before);
    const form = withoutMaskedValues(this.entity, sent, before);
    const { parent, positionFields } = await this.resolvePosition(form as RowValues, before);
    const completed = await this.options.complete?.(form as Form, { before, parent } as WriteContext<E>);
    const formValues = { ...(before ? withoutHidden(this.entity, form) : form), ...completed, ...positionFields };
    const full = { ...formValues, ...applyVisibility(this.entity, { ...before, ...formValues }) } as FormOf<E>;
    this.db.validateRow?.(this.entity, full as RowValues, before);
    await this.options.beforeSave?.(full, before as RowOf<E> | undefined);
    await assertFieldRules(this.db, this.entity, { ...before, ...full }, before);
    const { encryption } = this.db;
    const values = await this.withStoredLinks(before ? forUpdate(this.entity, full, encryption) : forInsert(this.entity, full, encryption), before);
    await this.assertUnique({ ...before, ...values }, before?.id);
    await lockReferences(this.db, this.entity, { row: values, before });
    const after = await this.write(values, before?.id);
    await this.assertInScope(after.id);
    recordChange({ entity: this.entity.name, id: String(after.id), before, after });
    await this.options.saved?.(after as RowOf<E>, before as RowOf<E> | undefined);
    return after as RowOf<E>;
  }

  async addAll(forms: readonly Form[]): Promise<(RowOf<E> | ApiError)[]> {
    this.assertTenantCanWrite();
    const { scope } = this.db;
    const inTransaction = <Result>(work: () => Promise<Result>) => (scope ? this.db.write(scope, work) : work());
    if (this.canAddBatch()) {
      try {
        return await inTransaction(() => this.addBatch(forms));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // One invalid row failed the batch; saving the rows one by one shows which one.
      }
    }
    const outcomes: (RowOf<E> | ApiError)[] = [];
    for (const form of forms) outcomes.push(await inTransaction(() => this.save(form)).catch(asApiError));
    return outcomes;
  }

  async update(rows: RowSelection, values: Partial<RowOf<E>>): Promise<ChangedRow<E>[]> {
    this.assertTenantCanWrite();
    const before = await this.lockSelected(rows);
    assertStates(this.entity, before, values);
    return this.change(before, values);
  }

  async transition(name: string, rows: RowSelection, values: Partial<RowOf<E>> = {}): Promise<ChangedRow<E>[]> {
    this.assertTenantCanWrite();
    const transition = transitionNamed(this.entity, name);
    const before = await this.lockSelected(rows);
    assertTransition(this.entity, before, transition);
    await this.options.beforeTransition?.(before as RowOf<E>[], transition);
    const after = await this.change(before, forTransition(values, transition));
    await this.options.transitioned?.(after, transition);
    return after;
  }

  /** Writes the same values to locked rows and records the changes. */
  private async change(before: readonly RowValues[], values: object): Promise<ChangedRow<E>[]> {
    const beforeById = new Map(before.map((row) => [String(row.id), row]));
    if (beforeById.size === 0) return [];
    this.uniqueIndexes ??= await readUniqueIndexes(this.db, this.namedTable);
    const indexes = this.uniqueIndexes;
    const tenant = this.entity.owner === 'tenant' ? { tenantId: sql<string>`tenant_id` } : {};
    const changed: RowValues[] = await this.db.sql
      .update(this.namedTable)
      .set(forChange(values))
      .where(hasId(this.namedTable, [...beforeById.keys()]))
      .returning({ ...getTableColumns(this.namedTable), ...tenant })
      .catch((error) => Promise.reject(writeProblem(this.entity, indexes, this.options.unique ?? [], error)));
    for (const { tenantId, ...after } of changed) {
      const id = String(after.id);
      recordChange({ entity: this.entity.name, id, before: beforeById.get(id), after, tenantId: tenantId as string | undefined });
    }
    return changed as ChangedRow<E>[];
  }

  async remove(ids: readonly string[]): Promise<void> {
    this.assertTenantCanWrite();
    const rows = await this.lockRows(ids);
    await this.assertRemovable(rows);
    await this.options.beforeRemove?.(rows as RowOf<E>[]);
    await assertUnused(this.db, this.entity, rows);
    await this.setState(rows, rowStates.deleted);
    await this.options.removed?.(rows as RowOf<E>[]);
  }

  async archive(ids: readonly string[]): Promise<void> {
    this.assertTenantCanWrite();
    const rows = await this.lockRows(ids);
    await this.assertRemovable(rows);
    await (this.options.beforeArchive ?? this.options.beforeRemove)?.(rows as RowOf<E>[]);
    await this.setState(rows, rowStates.archived);
    await this.options.removed?.(rows as RowOf<E>[]);
  }

  async unarchive(ids: readonly string[]): Promise<void> {
    await this.reactivate(ids, this.inState(rowStates.archived), problems.notFound);
  }

  async restore(ids: readonly string[]): Promise<void> {
    await this.reactivate(ids, await isRestorable(this.db, this.namedTable), problems.tooLateToUndo);
  }

  /** Returns the rows that were removed together with these rows, and that are restored with them. */
  protected async removedWith(_rows: readonly RowValues[]): Promise<RowValues[]> {
    return [];
  }

  /** Lets a subclass reject the positions of restored rows. */
  protected async assertPositions(_rows: readonly RowValues[]): Promise<void> {}

  /** Returns all of the archived or deleted rows to the list, or none, after the checks of new rows. */
  private async reactivate(ids: readonly string[], condition: SQL, missing: Problem): Promise<void> {
    this.assertTenantCanWrite();
    const uniqueIds = [...new Set(ids.map(String))];
    if (!uniqueIds.every(isId)) throw new ApiError(problems.notFound);
    const lockedRows = await this.db.sql
      .select(getTableColumns(this.namedTable))
      .from(this.namedTable)
      .where(and(hasId(this.namedTable, uniqueIds), condition, this.restriction()))
      .orderBy(this.namedTable.id)
      .for('update');
    if (lockedRows.length !== uniqueIds.length) throw new ApiError(missing);
    const rows = [...lockedRows, ...(await this.removedWith(lockedRows))];
    for (const row of rows) {
      const before = row.isDeleted === rowStates.archived ? row : undefined;
      await this.assertUnique(row, row.id);
      await lockReferences(this.db, this.entity, { row, before }, { allowsArchived: true });
      const after = await this.write(forReactivation(), row.id);
      await this.assertInScope(row.id);
      recordChange({ entity: this.entity.name, id: String(after.id), before, after, ...(before ? {} : { action: 'restored' as const }) });
      await this.options.saved?.(after as RowOf<E>, undefined);
    }
    await this.assertPositions(rows);
  }

  private async setState(rows: readonly RowValues[], state: RowState): Promise<void> {
    const written = await this.db.sql
      .update(this.namedTable)
      .set(forState(state))
      .where(
        hasId(
          this.namedTable,
          rows.map((row) => String(row.id)),
        ),
      )
      .returning(getTableColumns(this.namedTable));
    const afterById = new Map(written.map((after) => [String(after.id), after]));
    for (const before of rows) {
      const id = String(before.id);
      recordChange({ entity: this.entity.name, id, before, after: state === rowStates.deleted ? undefined : afterById.get(id) });
    }
  }

  async setSingleStatus(id: string, status: number, { enabled, off }: SingleStatuses): Promise<void> {
    const isEnabled = eq(this.namedTable.status as PgColumn, enabled);
    if (status === enabled) await this.setStatus(and(ne(this.namedTable.id, id), isEnabled), off);
    await this.setStatus(and(eq(this.namedTable.id, id), ne(this.namedTable.status as PgColumn, status)), status);
  }

  private async setStatus(where: SQL | undefined, status: number): Promise<void> {
    const found = await this.db.sql
      .select(getTableColumns(this.namedTable))
      .from(this.namedTable)
      .where(and(this.inState(rowStates.active), where))
      .for('update');
    await this.change(found, { status });
  }

  history(input: HistoryInput): Promise<StoredHistory> {
    return readHistory({ db: this.db, entity: this.entity, table: this.namedTable, where: this.restriction() }, input);
  }

  /** Tests whether rows can be inserted by one statement, which requires that validation needs only their own values. */
  protected canAddBatch(): boolean {
    return this.options.beforeSave === undefined && scopeOf(this.entity) === undefined;
  }

  private async addBatch(forms: readonly Form[]): Promise<(RowOf<E> | ApiError)[]> {
    const prepared = await Promise.all(forms.map((form) => this.valuesToAdd(form).catch(asApiError)));
    const values = prepared.filter((one): one is RowValues => !(one instanceof ApiError));
    const duplicates = await findDuplicates(this.compared(), this.options.unique ?? [], values);
    const unusable = await unusableReferences(
      this.db,
      this.entity,
      values.map((row) => ({ row, before: undefined })),
    );
    const refused = new Map([...unusable, ...duplicates]);
    const insertable = values.filter((row) => !refused.has(row));
    const rows = insertable.length > 0 ? await this.insert(insertable) : [];
    const written = new Map(insertable.map((row, index) => [row, rows[index] as RowValues]));
    for (const after of rows) {
      recordChange({ entity: this.entity.name, id: String(after.id), before: undefined, after });
      await this.options.saved?.(after as RowOf<E>, undefined);
    }
    return prepared.map((one) => (one instanceof ApiError ? one : (refused.get(one) ?? written.get(one)))) as (RowOf<E> | ApiError)[];
  }

  private async valuesToAdd(sent: Form): Promise<RowValues> {
    const form = withoutMaskedValues(this.entity, sent, undefined);
    const completed = await this.options.complete?.(form as Form, { before: undefined, parent: undefined });
    const formValues: RowValues = { ...form, ...completed };
    const full = { ...formValues, ...applyVisibility(this.entity, formValues) };
    this.db.validateRow?.(this.entity, full, undefined);
    await assertFieldRules(this.db, this.entity, full, undefined);
    return this.withStoredLinks(forInsert(this.entity, full, this.db.encryption), undefined);
  }

  private async withStoredLinks(values: RowValues, before: RowValues | undefined): Promise<RowValues> {
    const { links } = this.db;
    return links ? resolveSignedLinks(links, this.entity, values, before) : values;
  }

  private async insert(values: readonly RowValues[]): Promise<RowValues[]> {
    this.uniqueIndexes ??= await readUniqueIndexes(this.db, this.namedTable);
    try {
      return await this.db.sql
        .insert(this.namedTable)
        .values([...values])
        .returning(getTableColumns(this.namedTable));
    } catch (error) {
      throw writeProblem(this.entity, this.uniqueIndexes, this.options.unique ?? [], error);
    }
  }

  /** Determines the parent of a row, and the fields that store its position. */
  protected async resolvePosition(_form: RowValues, _before: RowValues | undefined): Promise<{ parent: RowValues | undefined; positionFields: RowValues }> {
    return { parent: undefined, positionFields: {} };
  }

  /** Lets a subclass reject a removal. */
  protected async assertRemovable(_rows: readonly RowValues[]): Promise<void> {}

  /** Rejects a written row outside the actor's own data scope. */
  private async assertInScope(id: unknown): Promise<void> {
    const scope = scopeOf(this.entity);
    if (!scope) return;
    const [visibleRow] = await this.db.sql
      .select({ id: this.namedTable.id })
      .from(this.namedTable)
      .where(and(eq(this.namedTable.id, id), scope));
    if (!visibleRow) throw new ApiError(problems.outsideScope);
  }

  private async write(values: RowValues, id: unknown): Promise<RowValues> {
    const columns = getTableColumns(this.namedTable);
    this.uniqueIndexes ??= await readUniqueIndexes(this.db, this.namedTable);
    try {
      const [row] = await (id === undefined
        ? this.db.sql.insert(this.namedTable).values(values).returning(columns)
        : this.db.sql.update(this.namedTable).set(values).where(eq(this.namedTable.id, id)).returning(columns));
      if (!row) throw new ApiError(problems.notFound);
      return row;
    } catch (error) {
      throw writeProblem(this.entity, this.uniqueIndexes, this.options.unique ?? [], error);
    }
  }

  /** Returns the rows that uniqueness is checked against: values of archived rows stay reserved. */
  private compared(): ComparedRows {
    const undeleted = and(sql`${this.namedTable.isDeleted} <> ${sql.raw(String(rowStates.deleted))}`, this.options.where?.());
    return { db: this.db, entity: this.entity, table: this.namedTable, undeleted };
  }

  private assertUnique(row: RowValues, id: unknown): Promise<void> {
    return assertUnique(this.compared(), this.options.unique ?? [], row, id);
  }
}
