import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';

/** Returns the database's clock in milliseconds since 1970, the only clock schedules use. Call within a transaction. */
export async function databaseNow(db: ServerContext['db']): Promise<number> {
  const [row] = await queryRows<{ now: number }>(db, sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`);
  return row?.now ?? Date.now();
}

/** Returns the time zone of cron expressions, which is the deployment's. */
export async function databaseZone(db: ServerContext['db']): Promise<string> {
  const [row] = await queryRows<{ zone: string }>(db, sql`select current_setting('TimeZone') as zone`);
  return row?.zone ?? 'UTC';
}

/** Converts milliseconds since 1970 to an SQL timestamp. */
export const atMoment = (milliseconds: number) => sql`to_timestamp(${milliseconds}::float8 / 1000)`;
