import { expect, test } from '@rstest/core';
import { testServer } from '../../../support/test-server.ts';

/** Bounds of the partitions of the log, oldest first. */
const bounds = `select substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \\('([^']+)'\\)$re$)::timestamptz::text as starts,
    substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \\('([^']+)'\\)$re$)::timestamptz::text as ends
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'api_log'::regclass and c.relname ~ '_\\d{6}$' order by c.relname`;

test('months that are prepared after a change of the time zone follow the earlier ones without an overlap or a gap', async () => {
  const server = await testServer({ plugins: ['access'] });
  const prepare = (zone: string, months: number) =>
    server.db.asPlatform('a test prepares months', async () => {
      await server.db.rows(`select set_config('TimeZone', '${zone}', true)`, []);
      await server.db.rows(`select prepare_log('api_log', ${months})`, []);
    });
  await prepare('Asia/Shanghai', 5);
  await prepare('America/New_York', 7);
  await prepare('Pacific/Kiritimati', 9);
  // A month is also prepared after the one that follows it: in its first hours it has not begun everywhere.
  const [second] = await server.sql("select relname as name from pg_class where relname ~ '^api_log_\\d{6}$' order by relname offset 1 limit 1");
  await server.sql(`drop table ${second?.name}`);
  await prepare('America/New_York', 7);
  const months = (await server.sql(bounds)) as { starts: string; ends: string }[];
  expect(months.length).toBeGreaterThanOrEqual(10);
  expect(months.slice(1).map(({ starts }) => starts)).toEqual(months.slice(0, -1).map(({ ends }) => ends));
});
