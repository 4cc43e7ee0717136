import { formatBytes, Tag, type Translate, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import type { HealthServer } from '../contract.ts';
import styles from './health.module.css';
import { healthMessages } from './messages.ts';

/** Lists the servers with the figures that they reported last, also those that no longer respond. */
export function ServerList({ servers }: { readonly servers: readonly HealthServer[] }) {
  return (
    <ul className={styles.servers}>
      {servers.map((server) => (
        <ServerItem key={server.id} server={server} />
      ))}
    </ul>
  );
}

function ServerItem({ server: { host, isAlive, startTime, seenTime, uptimeSeconds, figures } }: { readonly server: HealthServer }) {
  const t = useTranslation();
  const { connections } = figures ?? {};
  const facts: readonly (readonly [LocalizedText, string])[] = [
    [healthMessages.uptime, durationText(uptimeSeconds, t)],
    [healthMessages.started, startTime],
    [healthMessages.seen, seenTime],
    ...(figures
      ? ([
          [healthMessages.version, figures.version],
          [healthMessages.node, figures.node],
          [healthMessages.plugins, pluginsText(figures)],
          [healthMessages.loop, t(healthMessages.milliseconds, { count: figures.loopDelayMs })],
          [healthMessages.memory, t(healthMessages.ofTotal, { used: formatBytes(figures.memoryBytes), total: formatBytes(figures.memoryLimitBytes) })],
          [healthMessages.connections, connections ? t(healthMessages.connectionsUsed, connections) : t(healthMessages.embedded)],
        ] as const)
      : ([[healthMessages.version, t(healthMessages.unknown)]] as const)),
  ];
  function pluginsText({ plugins: running, skipped }: NonNullable<HealthServer['figures']>): string {
    if (skipped.length === 0) return t(healthMessages.pluginCount, { running });
    return t(healthMessages.pluginsSkipped, { running, skipped: skipped.length });
  }
  return (
    <li className={styles.server} data-gone={!isAlive}>
      <h3>
        {host} <Tag tone={isAlive ? 'good' : 'danger'}>{t(isAlive ? healthMessages.alive : healthMessages.gone)}</Tag>
      </h3>
      <dl className={styles.serverFacts}>
        {facts.map(([title, value]) => (
          <div key={title[1]}>
            <dt>{t(title)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Formats seconds in the largest unit of which there are at least two: 119 minutes, but 2 hours. */
export function durationText(seconds: number, t: Translate): string {
  const steps = [
    [86_400, healthMessages.days],
    [3600, healthMessages.hours],
    [60, healthMessages.minutes],
  ] as const;
  const [size, text] = steps.find(([size]) => seconds >= 2 * size) ?? [1, healthMessages.seconds];
  return t(text, { count: Math.floor(seconds / size) });
}
