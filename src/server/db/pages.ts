import type { SQL } from 'drizzle-orm';
import type { Entity, ListInput, Page, RowOf } from '#shared/contract';
import type { Database } from './database.ts';
import { deepPage } from './deep-page.ts';
import { filtersOf } from './filters.ts';
import { Memory } from './memory.ts';
import { Milestones } from './milestones.ts';
import { orderOf } from './order.ts';
import { deepFrom, type NamedTable, type PageRequest, PageStatements } from './page-statements.ts';
import { countedRows, type Kept } from './row-count.ts';
import { tableOf } from './table.ts';

const largestPage = 200;
const totalsKept = 500;

interface Found {
  readonly rows: unknown[];
  readonly total: number;
}

/** Reads the pages of one entity. */
export class Pages<E extends Entity> {
  private readonly table: NamedTable;
  private readonly statements: PageStatements;
  private readonly milestones = new Milestones();
  private readonly totals = new Memory<{ readonly total: number; readonly changes: number }>(totalsKept);

  constructor(
    private readonly db: Database,
    private readonly entity: E,
  ) {
    this.table = tableOf(entity) as unknown as NamedTable;
    this.statements = new PageStatements(db, entity, this.table);
  }

  /** `narrowed` is what the server itself adds to the filters of the request. */
  async page(input: ListInput, narrowed: SQL | undefined): Promise<Page<RowOf<E>>> {
    const request = this.understand(input, narrowed);
    const { rows, total } = await this.find(request);
    const { offset, size, counted, all } = request;
    const totalExact = counted || all || total < countedRows;
    const least = totalExact ? total : Math.max(total, offset + rows.length);
    return { records: rows as RowOf<E>[], total: least, totalExact, size, current: offset / size + 1, pages: Math.ceil(least / size) };
  }

  private understand(input: ListInput, narrowed: SQL | undefined): PageRequest {
    const filters = filtersOf(this.entity, input);
    const size = within(input.size, 1, largestPage, 10);
    const current = within(input.current, 1, Math.floor(Number.MAX_SAFE_INTEGER / largestPage), 1);
    const counted = filters.conditions.length === 0 && narrowed === undefined;
    return { filters, narrowed, sorts: orderOf(this.entity, input), offset: (current - 1) * size, size, counted, all: String(input.exactTotal) === 'true' };
  }

  private async find(request: PageRequest): Promise<Found> {
    if (request.counted && request.offset >= deepFrom) {
      const deep = await deepPage({ db: this.db, entity: this.entity, table: this.table, milestones: this.milestones }, request);
      if (deep) return deep;
    }
    const found = await this.statements.rows(request);
    return { rows: found.map(({ row }) => row), total: await this.total(request, found.length, found[0]?.kept) };
  }

  private async total(request: PageRequest, rows: number, kept: Kept | undefined): Promise<number> {
    const { counted, offset, size } = request;
    if (counted && kept) return kept.rows;
    if (rows < size && (rows > 0 || offset === 0)) return offset + rows;
    const name = this.matchesName(request);
    const known = name === undefined ? undefined : this.totals.get(name);
    if (known && known.changes === kept?.changes) return known.total;
    const { total, changes } = await this.statements.count(request);
    if (name !== undefined) this.totals.set(name, { total, changes });
    return total;
  }

  /** The same name means the same matches while the table stands still; what the server adds may mean something else each time. */
  private matchesName({ filters, narrowed, all }: PageRequest): string | undefined {
    return narrowed === undefined ? JSON.stringify([this.db.scope?.tenantId, all, filters.values]) : undefined;
  }
}

function within(value: unknown, least: number, most: number, preset: number): number {
  const number = Math.trunc(Number(value ?? preset));
  return Number.isNaN(number) ? preset : Math.min(Math.max(number, least), most);
}
