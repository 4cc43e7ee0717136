import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Branch, Entity, LazyRow, ListInput, RowOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { rowStates } from '#shared/row-states';
import { treeOf } from '#shared/tree';
import type { Database } from '../database/database.ts';
import { hasId, idArray, isId } from '../database/rows.ts';
import { EntityRepository } from './entity-repository.ts';
import { type FilterConditions, readFiltered } from './filters.ts';
import { orderBy, orderOf } from './order.ts';
import { rowName } from './record-uses.ts';
import type { RowChange, TreeOptions, TreeRepository } from './repository.ts';
import type { RowValues } from './row-values.ts';

const root = '0';
/** Maximum number of matches of a search across all levels; further ones are available page by page. */
const maxMatches = 1000;

type TreePosition = { readonly id: string; readonly parentId: string };

const isNoneOf = ({ id }: { readonly id: PgColumn }, ids: readonly string[]): SQL => sql`${id} <> all(${idArray(ids)})`;

/** The only implementation of `TreeRepository`. Writes to one tree run one after the other, so that each sees the result of the previous one. */
export class RowTreeRepository<E extends Entity, Form extends object> extends EntityRepository<E, Form> implements TreeRepository<E, Form> {
  constructor(
    db: Database,
    entity: E,
    private readonly treeOptions: TreeOptions<E, Form>,
  ) {
    super(db, entity, treeOptions);
  }

  tree(input: ListInput = {}): Promise<Branch<RowOf<E>>[]> {
    return this.forestOf(input);
  }

  async below(id: string, input: ListInput = {}): Promise<Branch<RowOf<E>>[]> {
    if (!isId(id) || id === root) return this.forestOf(input, sql`false`);
    const { namedTable } = this;
    const found = sql`with recursive below as (
      select id from ${namedTable} where parent_id = ${id} and is_deleted = 0
      union select deeper.id from ${namedTable} deeper join below on deeper.parent_id = below.id where deeper.is_deleted = 0
    ) select id from below`;
    return this.forestOf(input, sql`${namedTable.id} in (${found})`);
  }

  async level(input: ListInput): Promise<LazyRow<E>[]> {
    const { parentId: rawParentId = '', ...filterInput } = input;
    const parentId = String(rawParentId);
    if (parentId !== '' && !isId(parentId)) throw new ApiError(problems.wrongParameter, { name: 'parentId' });
    const rows = await this.readRows(filterInput, (filters) => this.levelRows(parentId, filterInput, filters));
    const parents = await this.parentsAmong(rows.map(({ id }) => String(id)));
    return rows.map((row) => ({ ...row, hasChildren: parents.has(String(row.id)) })) as LazyRow<E>[];
  }

  override async save(form: Form | RowChange<Form>): Promise<RowOf<E>> {
    await this.lockTree();
    return super.save(form);
  }

  override async remove(ids: readonly string[]): Promise<void> {
    await this.lockTree();
    return super.remove(ids);
  }

  override async restore(ids: readonly string[]): Promise<void> {
    await this.lockTree();
    return super.restore(ids);
  }

  override async archive(ids: readonly string[]): Promise<void> {
    await this.lockTree();
    return super.archive(ids);
  }

  override async unarchive(ids: readonly string[]): Promise<void> {
    await this.lockTree();
    return super.unarchive(ids);
  }

  /** Returns false, because the parent of each row must be looked up. */
  protected override canAddBatch(): boolean {
    return false;
  }

  protected override async resolvePosition(
    form: RowValues,
    before: RowValues | undefined,
  ): Promise<{ parent: RowValues | undefined; positionFields: RowValues }> {
    const parentId = String(form.parentId ?? before?.parentId ?? root);
    if (parentId === root) return { parent: undefined, positionFields: { parentId } };
    const parent = isId(parentId) ? (await this.select(eq(this.namedTable.id, parentId)))[0] : undefined;
    if (!parent) throw new ApiError(this.treeOptions.noParent ?? problems.notFound);
    if (before && before.parentId !== parentId && (await this.isWithin(parentId, String(before.id))))
      throw new ApiError(this.treeOptions.belowItself ?? problems.belowItself);
    return { parent, positionFields: { parentId } };
  }

  protected override async assertRemovable(rows: readonly RowValues[]): Promise<void> {
    const ids = rows.map(({ id }) => String(id));
    const parentId = this.namedTable.parentId as PgColumn;
    const [remainingChild] = await this.select(sql`${parentId} = any(${idArray(ids)}) and ${isNoneOf(this.namedTable, ids)}`).limit(1);
    if (remainingChild) throw new ApiError(this.treeOptions.hasChildren ?? problems.hasChildren);
  }

  /**
   * Returns the descendants that the same transaction deleted or archived. The number of the transaction (`xmin`) is the version of each row. The time is compared too,
   * because all rows of a restored backup have the same version.
   */
  protected override async removedWith(rows: readonly RowValues[]): Promise<RowValues[]> {
    const { namedTable: table } = this;
    const ids = rows.map(({ id }) => String(id));
    const removedTogether = sql`with recursive below as (
      select id, xmin as version, is_deleted, update_time from ${table} where id = any(${idArray(ids)})
      union select deeper.id, deeper.xmin, deeper.is_deleted, deeper.update_time from ${table} deeper
      join below on deeper.parent_id = below.id and deeper.xmin = below.version and deeper.is_deleted = below.is_deleted and deeper.update_time = below.update_time
    ) select id from below`;
    const isRemovedTogether = and(sql`${table.id} in (${removedTogether})`, isNoneOf(table, ids), this.restriction());
    return this.db.sql.select(getTableColumns(table)).from(table).where(isRemovedTogether).orderBy(table.id).for('update');
  }

  /** Rejects rows whose parent is missing, because it was removed in the meantime. A parent that is restored together with its child is present. */
  protected override async assertPositions(rows: readonly RowValues[]): Promise<void> {
    const parentIds = [...new Set(rows.map(({ parentId }) => String(parentId)))].filter((id) => id !== root);
    const present = new Set((await this.select(hasId(this.namedTable, parentIds))).map(({ id }) => String(id)));
    const orphan = rows.find(({ parentId }) => String(parentId) !== root && !present.has(String(parentId)));
    if (orphan) throw new ApiError(problems.parentGone, { name: rowName(this.entity, orphan) });
  }

  private async parentsAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const parentId = this.namedTable.parentId as PgColumn;
    const found = await this.db.sql
      .selectDistinct({ id: parentId })
      .from(this.namedTable)
      .where(and(sql`${parentId} = any(${idArray(ids)})`, this.inState(rowStates.active), this.restriction()));
    return new Set(found.map(({ id }) => String(id)));
  }

  /** Tests whether a row equals another one or is below it. */
  private async isWithin(id: string, other: string): Promise<boolean> {
    const { namedTable } = this;
    const found = await this.db.sql.execute(sql`with recursive above as (
      select id, parent_id from ${namedTable} where id = ${id}
      union select higher.id, higher.parent_id from ${namedTable} higher join above on above.parent_id = higher.id
    ) select 1 from above where id = ${other}`);
    return found.length > 0;
  }

  /** Serializes writes to the tree; called before any row is locked, so that waiting blocks no one else. */
  private lockTree(): Promise<void> {
    return this.db.lock(`tree of ${this.entity.name}`);
  }

  private async forestOf(input: ListInput, among?: SQL): Promise<Branch<RowOf<E>>[]> {
    // The contract also describes a page, while the type of the call is that of the tree.
    if (input.current !== undefined || input.size !== undefined) return (await this.page(input, among)) as never;
    const isSorted = Boolean(input.ascs || input.descs);
    const rows = await this.readRows(input, ({ conditions, values }) => {
      const found = this.select(and(among, ...conditions)).orderBy(...(isSorted ? orderBy(orderOf(this.entity, input)) : this.order()));
      return found.prepare('tree').execute(values) as Promise<RowValues[]>;
    });
    return treeOf(rows as (RowOf<E> & TreePosition)[]);
  }

  private levelRows(parentId: string, filterInput: ListInput, { conditions, values }: FilterConditions): Promise<RowValues[]> {
    const isSearch = parentId === '' && conditions.length > 0;
    const order = filterInput.ascs || filterInput.descs ? orderBy(orderOf(this.entity, filterInput)) : this.order();
    const parentCondition = isSearch ? undefined : eq(this.namedTable.parentId as PgColumn, parentId || root);
    const found = this.select(and(parentCondition, ...conditions)).orderBy(...order);
    return (isSearch ? found.limit(maxMatches) : found).prepare('level').execute(values) as Promise<RowValues[]>;
  }

  private readRows(input: ListInput, read: (filters: FilterConditions) => Promise<RowValues[]>): Promise<RowValues[]> {
    return readFiltered(this.db, this.entity, input, { read, isEmpty: (rows) => rows.length === 0, isShort: () => true });
  }
}
