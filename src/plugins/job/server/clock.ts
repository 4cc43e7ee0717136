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
export const timestampOf = (milliseconds: number) => sql`to_timestamp(${milliseconds}::float8 / 1000)`;

/** Formats a time in a time zone as `yyyy-MM-dd HH:mm:ss`. */
export const wallTime = (moment: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);

/** Returns the milliseconds since 1970 at which the clocks of a time zone show this time. */
export function epochMsOf(wall: string, timeZone: string): number {
  const asUtc = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
  let moment = asUtc(wall);
  // A second pass is needed because the first guess may be on the other side of a daylight-saving change.
  for (let pass = 0; pass < 2; pass += 1) moment += asUtc(wall) - asUtc(wallTime(moment, timeZone));
  return moment;
}
