import { sql } from 'drizzle-orm';
import type { IntegerParameter } from '#shared/parameters';
import type { Database } from '../../data/database/database.ts';
import { existingRecords, type PersonalSource } from './people.ts';
import { eraseRows, forgetPositions, partsOf } from './person-erasure.ts';

const batchSize = 1000;

/** Rows of a table that were erased because their retention has ended. */
export interface OutdatedRows {
  readonly table: string;
  readonly rows: number;
}

/** Tenant whose rows are erased. */
export interface OutdatedOptions {
  readonly tenantId: string;
  /** Returns the retention in days. */
  readonly daysOf: (parameter: IntegerParameter) => Promise<number>;
  /** Stops after the current batch. */
  readonly signal: AbortSignal;
}

/** Erases the rows of a tenant whose retention has ended, as an erasure of their person would, in transactions of a thousand rows. */
export async function eraseOutdated(db: Database, sources: readonly PersonalSource[], { tenantId, daysOf, signal }: OutdatedOptions): Promise<OutdatedRows[]> {
  const declared = await db.read({ tenantId }, () => existingRecords(db, sources));
  const erased: OutdatedRows[] = [];
  for (const records of declared) {
    const { table, retention } = records;
    if (!retention) continue;
    const days = await daysOf(retention.days);
    const isOutdated = sql`${sql.identifier(retention.since)} < now() - make_interval(days => ${days}) and (${sql.raw(retention.where ?? 'true')})`;
    const { erased: where } = partsOf(records, isOutdated);
    let rows = 0;
    for (let batch = batchSize; where && batch === batchSize && !signal.aborted; rows += batch)
      batch = await db.write({ tenantId }, () => eraseRows(db, records, where, batchSize));
    if (rows > 0) erased.push({ table, rows });
  }
  const tables = erased.map(({ table }) => table);
  if (tables.length > 0) await forgetPositions(db, tenantId, tables);
  return erased;
}
