import type { Database } from '../data/index.ts';
import type { GaugeSource } from '../platform/metrics/metrics.ts';
import type { PluginHost } from './plugin-host.ts';

/** Metrics of this server: its connections to the database, and its plugins. */
export const kernelGauges = (db: Database, host: PluginHost): GaugeSource[] => [
  {
    name: 'marquee_database_connections',
    help: 'Connections to PostgreSQL that are open and in use, and callers that wait for one; none with the embedded database.',
    labels: ['state'],
    read: () => Object.entries(db.connections() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
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
