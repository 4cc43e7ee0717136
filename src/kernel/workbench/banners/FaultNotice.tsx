import { useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { AdministratorOnly } from '../../platform/permission/use-can.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import styles from './FaultNotice.module.css';

/** Shows administrators the plugins that did not start, with the reasons. */
export function FaultNotice() {
  return (
    <AdministratorOnly>
      <Faults />
    </AdministratorOnly>
  );
}

function Faults() {
  const t = useTranslation();
  const host = useService(PluginHost);
  const states = useStream(host.states$, host.states);
  const [dismissed, setDismissed] = useState('');
  // Plugins skipped by safe mode are no faults; the banner reports them.
  const faulty = states.filter(({ status, cause }) => (status === 'quarantined' || status === 'skipped') && cause && cause.kind !== 'safe-mode');
  const subject = faulty.map(({ id }) => id).join(' ');
  if (faulty.length === 0 || dismissed === subject) return null;
  return (
    <section className={styles.notice} aria-label={t('shell.pluginFaults', { count: faulty.length })}>
      <details className={styles.details}>
        <summary>
          <Icon name="warning" size={16} />
          {t('shell.pluginFaults', { count: faulty.length })}
        </summary>
        <p>{t('shell.pluginFaultsExplained')}</p>
        <ul>
          {faulty.map(({ id, title, cause }) => (
            <li key={id}>
              <strong>{t(title)}</strong>
              {t(title) !== id && <code>{id}</code>}
              <span>{cause && t(cause.text)}</span>
            </li>
          ))}
        </ul>
      </details>
      <IconButton label={t('shell.dismiss')} onClick={() => setDismissed(subject)}>
        <Icon name="close" size={14} />
      </IconButton>
    </section>
  );
}
