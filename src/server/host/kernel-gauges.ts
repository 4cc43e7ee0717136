import type { ConnectionCounts } from '../data/database/session.ts';
import type { Database } from '../data/index.ts';
import type { GaugeSource } from '../platform/metrics/metrics.ts';
import type { PluginHost } from './plugin-host/plugin-host.ts';

/** Metrics of this server: its connections to the database, and its plugins. */
export const kernelGauges = (db: Database, host: PluginHost): GaugeSource[] => [
  {
    name: 'marquee_database_connections',
    help: 'Connections to PostgreSQL and to its read replica that are open and in use, and callers that wait for one; none with the embedded database.',
    labels: ['pool', 'state'],
    read: () =>
      Object.entries(db.connections() ?? {}).flatMap(([pool, counts]) =>
        Object.entries(counts as ConnectionCounts).map(([state, value]) => ({ labels: { pool, state }, value })),
      ),
  },
  {
    name: 'marquee_database_replica_lag_seconds',
    help: 'Seconds by which the read replica may be older than the primary; absent without one, and while it does not answer.',
    labels: [],
    read: () => (db.replicaLagSeconds === undefined ? [] : [{ labels: {}, value: db.replicaLagSeconds }]),
  },
  {
    name: 'marquee_plugins',
    help: 'Plugins that run on this server, and those that it has skipped.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'running' }, value: host.running.length },
      { labels: { state: 'skipped' }, value: host.skipped.length },
    ],
  },
];
