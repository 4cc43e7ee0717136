import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { everyTenant, RowDigest } from './seal.ts';
import type { SealStore } from './seal-store.ts';
import { columnsOf, indexSealedTables, readRows, type SealedTable, tenantsIn } from './sealed-table.ts';

/** Largest number of rows of a seal. */
const rowsPerSeal = 500;
/** Number of moments that are remembered while a long transaction keeps rows from being sealed. */
const maxMoments = 200;

/** Ids below `id` are complete once no transaction before `horizon` is running. */
interface Moment {
  readonly id: string;
  readonly horizon: bigint;
}

/** Options of the sealing. */
interface SealingOptions {
  /** Age of the rows that are sealed at the earliest: an id is made a moment before the transaction of its row has a number, and clocks are set back. */
  readonly marginMs?: number;
}

/**
 * Seals rows after they were written, so that no writer waits. A run seals, in the order of their ids, the rows that no seal covers, as far as no running transaction can
 * add a row between them. Each batch is one transaction with the new head of its chain, and one server at a time adds to chains: a run that is cut short is continued
 * by the next one, on any server.
 */
export class Sealing {
  private moments: Moment[] = [];

  constructor(
    private readonly db: Database,
    private readonly store: SealStore,
    private readonly tables: () => readonly SealedTable[],
    private readonly options: SealingOptions = {},
  ) {}

  /** Seals what is complete; returns the number of sealed rows. A table that fails is reported after the others. */
  async run(signal?: AbortSignal): Promise<number> {
    const tables = this.tables().map(({ table }) => table);
    await indexSealedTables(this.db, tables);
    const end = await this.completeEnd();
    let sealed = 0;
    const failures: unknown[] = [];
    for (const table of end === undefined ? [] : tables) {
      try {
        sealed += await this.sealTable(table, end ?? '0', signal);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return sealed;
  }

  /** Remembers this moment and returns the end of the ids that are complete; undefined while there is none. */
  private async completeEnd(): Promise<string | undefined> {
    const marginMs = this.options.marginMs ?? 5000;
    const [now] = await this.acrossTenants(() =>
      queryRows<{ id: string; horizon: string; oldest: string }>(
        this.db,
        sql`select (((extract(epoch from clock_timestamp()) * 1000)::bigint - 1704067200000 - ${marginMs}::bigint) << 22)::text as id,
              pg_snapshot_xmax(pg_current_snapshot())::text as horizon, pg_snapshot_xmin(pg_current_snapshot())::text as oldest`,
      ),
    );
    if (!now) return undefined;
    const oldest = BigInt(now.oldest);
    this.moments = [...this.moments, { id: now.id, horizon: BigInt(now.horizon) }].slice(-maxMoments);
    const complete = this.moments.findLast(({ horizon }) => horizon <= oldest);
    if (complete) this.moments = this.moments.filter((moment) => moment === complete || moment.horizon > oldest);
    return complete?.id;
  }

  private async sealTable(table: string, end: string, signal: AbortSignal | undefined): Promise<number> {
    const columns = await this.acrossTenants(() => columnsOf(this.db, table));
    // The plugin of the table may be installed without its tables.
    if (columns.size === 0) return 0;
    let sealed = 0;
    for (const tenant of await this.acrossTenants(() => tenantsIn(this.db, table)))
      for (let count = rowsPerSeal; count === rowsPerSeal; sealed += count) {
        if (signal?.aborted) return sealed;
        count = await this.acrossTenants(() => this.sealBatch({ table, tenant, columns, end }));
      }
    await this.acrossTenants(() => this.closeRun(table, end));
    return sealed;
  }

  private async sealBatch({ table, tenant, columns, end }: SealedBatch): Promise<number> {
    const { db, store } = this;
    await store.lock();
    const whole = await store.openHead(everyTenant, table);
    const head = await store.openHead(tenant, table);
    // Rows that appear before the end of an earlier run are late or forged; no seal ever covers them, so that verifications find them.
    const fromId = BigInt(head.toId) > BigInt(whole.toId) ? head.toId : whole.toId;
    if (BigInt(fromId) >= BigInt(end)) return 0;
    const rows = await readRows(db, table, columns, { tenant, after: fromId, to: end }, rowsPerSeal);
    const last = rows.at(-1);
    if (!last) return 0;
    const sum = new RowDigest(table, true);
    for (const row of rows) sum.add(row);
    const toId = rows.length === rowsPerSeal ? last.id : end;
    await store.append(head, {
      ...{ kind: 'rows', fromId, toId, rowCount: rows.length, columns: [...columns.keys()].join(','), purgedBefore: 0 },
      ...sum.end(),
    });
    return rows.length;
  }

  /** Notes how far the rows of all tenants are sealed. */
  private async closeRun(table: string, end: string): Promise<void> {
    await this.store.lock();
    const whole = await this.store.openHead(everyTenant, table);
    if (BigInt(end) > BigInt(whole.toId)) await this.store.saveHead({ ...whole, toId: end });
  }

  private acrossTenants<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.db.asPlatform('seals the rows of all tenants', work);
  }
}

/** Rows of a tenant up to an id. */
interface SealedBatch {
  readonly table: string;
  readonly tenant: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly end: string;
}
