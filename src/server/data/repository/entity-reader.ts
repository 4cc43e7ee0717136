import { and, eq, getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { DeletedRow, Entity, ListInput, Page, RowOf } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import { type RowState, rowStates } from '#shared/row-states';
import { platformTenant } from '../context/identity.ts';
import type { Database } from '../database/database.ts';
import { hasId, isId } from '../database/rows.ts';
import { type NamedTable, namedTableOf, type TableOf, tableOf } from '../schema/table.ts';
import { keysetCursor, type WalkOptions } from './keyset-cursor.ts';
import { orderBy, orderOf } from './order.ts';
import { Pages } from './pages.ts';
import { rowName } from './record-uses.ts';
import type { PageOptions, RepositoryOptions, RowSelection } from './repository.ts';
import { scopeOf } from './row-scope.ts';
import type { RowValues } from './row-values.ts';
import { isRecyclable, withDeleters } from './row-values.ts';

/** Reads the rows of one entity: the reading half of a repository. */
export class EntityReader<E extends Entity, Form extends object> {
  readonly table: TableOf<E>;
  /** The same table, typed for code that is independent of the entity. */
  protected readonly namedTable: NamedTable;
  private readonly pages: Pages<E>;

  constructor(
    protected readonly db: Database,
    protected readonly entity: E,
    protected readonly options: RepositoryOptions<E, Form>,
  ) {
    this.table = tableOf(entity);
    this.namedTable = namedTableOf(entity);
    this.pages = new Pages(db, entity, !options.noTotal);
    // Several entities can describe one table; the one with the most fields is its own.
    const known = db.entities.get(entity.name);
    if (!known || Object.keys(entity.fields).length >= Object.keys(known.fields).length) db.entities.set(entity.name, entity);
    db.declaredFields.set(entity.name, new Set([...(db.declaredFields.get(entity.name) ?? []), ...Object.keys(entity.fields)]));
    db.references.add(entity);
    if (options.where) db.references.restrict(entity.name, options.where);
  }

  page(input: ListInput, where?: SQL, options?: PageOptions): Promise<Page<RowOf<E>>> {
    return this.pages.page(input, { restriction: and(this.restriction(), where), ...options });
  }

  archived(input: ListInput): Promise<Page<RowOf<E>>> {
    return this.pages.page(input, { restriction: this.restriction() ?? sql`true`, state: rowStates.archived });
  }

  async recycled(input: ListInput): Promise<Page<DeletedRow<E>>> {
    const restriction = and(await isRecyclable(this.db, this.namedTable), this.restriction());
    const page = await this.pages.page(input, { restriction, state: rowStates.deleted });
    return { ...page, records: await withDeleters(this.db, page.records) };
  }

  async list(where?: SQL, ...order: SQL[]): Promise<RowOf<E>[]> {
    const sorted = order.length > 0 ? order : this.order();
    return (await this.select(where).orderBy(...sorted)) as RowOf<E>[];
  }

  async count(where: Partial<RowOf<E>> | SQL = {}): Promise<number> {
    const condition = is(where, SQL) ? where : this.conditionOf(where);
    const rows = this.db.sql.select({ count: sql`count(*)`.mapWith(Number) }).from(this.namedTable);
    const [row] = await rows.where(and(this.inState(rowStates.active), this.restriction(), condition));
    return row?.count ?? 0;
  }

  async find(values: Partial<RowOf<E>>): Promise<RowOf<E> | undefined> {
    return (await this.findReadable(this.conditionOf(values))) as RowOf<E> | undefined;
  }

  async detail(id: string): Promise<RowOf<E>> {
    const row = isId(id) ? await this.findReadable(eq(this.namedTable.id, id)) : undefined;
    if (!row) throw new ApiError(problems.notFound);
    return row as RowOf<E>;
  }

  walk(input: ListInput, { where, ...walk }: WalkOptions = {}): () => Promise<RowOf<E>[]> {
    return keysetCursor(this.db, this.entity, this.namedTable, input, { ...walk, where: and(this.restriction(), where) }) as () => Promise<RowOf<E>[]>;
  }

  async decrypt(id: string, field: keyof E['fields'] & string): Promise<string | undefined> {
    const schema = this.entity.fields[field];
    if (!schema || !isSecret(schema)) throw new Error(`${this.entity.name}.${field} is not a secret.`);
    if (!isId(id)) throw new ApiError(problems.notFound);
    // The column is selected as raw SQL, because the typed column returns the mask.
    const encrypted = sql<string | null>`${this.namedTable[field]}`;
    const [row] = await this.db.sql
      .select({ encrypted })
      .from(this.namedTable)
      .where(and(sql`${this.namedTable.isDeleted} <> ${sql.raw(String(rowStates.deleted))}`, this.restriction(), eq(this.namedTable.id, id)));
    if (!row) throw new ApiError(problems.notFound);
    return row.encrypted === null ? undefined : this.db.encryption.decrypt(row.encrypted);
  }

  /** Locks the rows of these ids until the transaction ends; throws if any is missing or archived. An edit needs only `no key update`, which does not block references to the row. */
  protected async lockRows(ids: readonly string[], strength: 'update' | 'no key update' = 'update'): Promise<RowValues[]> {
    const uniqueIds = [...new Set(ids.map(String))];
    if (uniqueIds.length === 0) return [];
    if (!uniqueIds.every(isId)) throw new ApiError(problems.notFound);
    const condition = hasId(this.namedTable, uniqueIds);
    const rows = await this.select(condition).orderBy(this.namedTable.id).for(strength);
    if (rows.length === uniqueIds.length) return rows;
    const [archived] = this.entity.archivable ? await this.select(condition, rowStates.archived).limit(1) : [];
    throw archived ? new ApiError(problems.archived, { name: rowName(this.entity, archived) }) : new ApiError(problems.notFound);
  }

  /** Rejects writes of other tenants to platform rows, which every tenant can read; the error is therefore `forbidden`, not `notFound`. */
  protected assertTenantCanWrite(): void {
    const { scope } = this.db;
    if (this.entity.owner === 'platform' && scope && scope.tenantId !== platformTenant) throw new ApiError(problems.forbidden);
  }

  /** Locks rows by their ids, or those that match a condition, for an edit. */
  protected lockSelected(rows: RowSelection): Promise<RowValues[]> {
    return is(rows, SQL) ? this.select(rows).orderBy(this.namedTable.id).for('no key update') : this.lockRows(rows as readonly string[], 'no key update');
  }

  /** Returns the order of `list`: that of the entity, or else by id. Pages show the newest first instead. */
  protected order(): SQL[] {
    return this.entity.order.length > 0 ? orderBy(orderOf(this.entity, {})) : [sql`${this.namedTable.id}`];
  }

  protected select(where: SQL | undefined, state: RowState = rowStates.active) {
    return this.db.sql
      .select(getTableColumns(this.namedTable))
      .from(this.namedTable)
      .where(and(this.inState(state), this.restriction(), where))
      .$dynamic();
  }

  protected inState(state: RowState): SQL {
    return sql`${this.namedTable.isDeleted} = ${sql.raw(String(state))}`;
  }

  /** Combines the domain's condition with the actor's data scope. */
  protected restriction(): SQL | undefined {
    return and(this.options.where?.(), scopeOf(this.entity));
  }

  /** Reads an active row, or else an archived one: in a second statement, because the indexes contain active rows only. */
  private async findReadable(where: SQL | undefined): Promise<RowValues | undefined> {
    const [active] = await this.select(where).limit(1);
    if (active || !this.entity.archivable) return active;
    return (await this.select(where, rowStates.archived).limit(1))[0];
  }

  private conditionOf(values: object): SQL | undefined {
    return and(
      ...Object.entries(values).map(([field, value]) => {
        const column = this.namedTable[field] as PgColumn;
        return value === null || value === undefined ? sql`${column} is null` : eq(column, value);
      }),
    );
  }
}
