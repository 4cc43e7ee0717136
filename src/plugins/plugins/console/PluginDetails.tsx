import { formatBytes, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import type { PluginRow } from '../contract.ts';
import type { InstalledPackage } from '../package-contract.ts';
import { Changes } from './Changes.tsx';
import { pluginMessages } from './messages.ts';
import styles from './plugins.module.css';

interface DetailsProps {
  readonly row: PluginRow;
  /** Package that the plugin runs from. */
  readonly installed: InstalledPackage | undefined;
}

/** Shows the contributions of a plugin and its cost on this server, once its summary is opened. */
export function PluginDetails({ row, installed }: DetailsProps) {
  const t = useTranslation();
  const { details, codes, rounds, checks } = row;
  if (!details) return null;
  const { tables, provides, uses, fields, rules, startMs, calls, callMs, processBytes } = details;
  const separator = t(pluginMessages.listSeparator);
  const facts: readonly (readonly [title: LocalizedText, value: string])[] = [
    [pluginMessages.tables, tables.join(separator)],
    [pluginMessages.codes, amount(codes)],
    [pluginMessages.rounds, amount(rounds)],
    [pluginMessages.checks, amount(checks)],
    [pluginMessages.fields, fields.join(separator)],
    [pluginMessages.rules, rules.join(separator)],
    [pluginMessages.provides, provides.join(separator)],
    [pluginMessages.uses, uses.join(separator)],
    [pluginMessages.startTime, startMs === undefined ? '' : t(pluginMessages.milliseconds, { ms: startMs })],
    [pluginMessages.process, processBytes === undefined ? '' : processBytes === 0 ? t(pluginMessages.processEnded) : formatBytes(processBytes)],
    [pluginMessages.calls, calls === 0 ? '' : t(pluginMessages.callsValue, { count: calls, ms: callMs })],
  ];
  return (
    <details className={styles.details}>
      <summary>{t(pluginMessages.details)}</summary>
      <dl className={styles.facts}>
        {facts.map(([title, value]) =>
          value === '' ? null : (
            <div key={title[1]}>
              <dt>{t(title)}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {installed && installed.changes.length > 0 && <Changes title={t(pluginMessages.changesOf, { version: installed.version })} changes={installed.changes} />}
    </details>
  );
}

const amount = (count: number) => (count === 0 ? '' : String(count));
