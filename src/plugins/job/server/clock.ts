import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';

/** The database's clock, in milliseconds since 1970: the only one that schedules go by. Asked inside work under way. */
export async function databaseNow(db: ServerContext['db']): Promise<number> {
  const [row] = await rowsOf<{ now: number }>(db, sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`);
  return row?.now ?? Date.now();
}

/** The zone whose clocks expressions mean: the deployment's. */
export async function databaseZone(db: ServerContext['db']): Promise<string> {
  const [row] = await rowsOf<{ zone: string }>(db, sql`select current_setting('TimeZone') as zone`);
  return row?.zone ?? 'UTC';
}

/** A moment as SQL. */
export const atMoment = (milliseconds: number) => sql`to_timestamp(${milliseconds}::float8 / 1000)`;
