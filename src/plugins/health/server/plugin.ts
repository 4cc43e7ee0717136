import { sql } from 'drizzle-orm';
import { defineServerPlugin, HealthSources, queryRows, RunningServers, route } from '#server';
import { type HealthServer, healthReport } from '../contract.ts';
import { healthMenu } from '../menus.ts';

/** Health screen: the state of servers, database, queues, disks, backups, keys and certificates, as the kernel and the plugins report it. */
export default defineServerPlugin({
  id: 'health',
  title: ['运行状况', 'Health screen'],
  menus: [healthMenu],

  setup({ db, get }) {
    const sources = get(HealthSources);
    const servers = get(RunningServers);

    return {
      routes: [
        route(
          healthReport,
          async () => {
            const [items, running, [clock]] = await Promise.all([
              sources.read(),
              servers.list(),
              db.asPlatform('reads the clock of the database', () =>
                queryRows<{ time: string }>(db, sql`select to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS') as time`),
              ),
            ]);
            return { time: clock?.time ?? '', items: [...items], servers: running.map(serverRow) };
          },
          { manualTransactions: true },
        ),
      ],
    };
  },
});

function serverRow({ report, keyFingerprint: _, ...server }: Awaited<ReturnType<RunningServers['list']>>[number]): HealthServer {
  if (!report) return server;
  const { version, node, plugins, skipped, loopDelayMs, memoryBytes, memoryLimitBytes, connections } = report;
  const figures = { version, node, plugins: plugins.length, skipped: [...skipped], loopDelayMs, memoryBytes, memoryLimitBytes };
  return { ...server, figures: { ...figures, ...(connections ? { connections } : {}) } };
}
