import { useState } from 'react';
import { useText, useWords } from '../i18n/use-words.ts';
import { AdministratorOnly } from '../permission/use-can.tsx';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import styles from './FaultNotice.module.css';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';

/** Shows administrators the plugins that did not start, with the reasons. */
export function FaultNotice() {
  return (
    <AdministratorOnly>
      <Faults />
    </AdministratorOnly>
  );
}

function Faults() {
  const text = useText();
  const say = useWords();
  const host = useService(PluginHost);
  const states = useStream(host.states$, host.states);
  const [dismissed, setDismissed] = useState('');
  // Plugins skipped by safe mode are no faults; the banner reports them.
  const faulty = states.filter(({ status, cause }) => (status === 'quarantined' || status === 'skipped') && cause && cause.kind !== 'safe-mode');
  const subject = faulty.map(({ id }) => id).join(' ');
  if (faulty.length === 0 || dismissed === subject) return null;
  return (
    <section className={styles.notice} aria-label={text('shell.pluginFaults', { count: faulty.length })}>
      <details className={styles.details}>
        <summary>
          <Icon name="warning" size={16} />
          {text('shell.pluginFaults', { count: faulty.length })}
        </summary>
        <p>{text('shell.pluginFaultsExplained')}</p>
        <ul>
          {faulty.map(({ id, title, cause }) => (
            <li key={id}>
              <strong>{say(title)}</strong>
              {say(title) !== id && <code>{id}</code>}
              <span>{cause && say(cause.words)}</span>
            </li>
          ))}
        </ul>
      </details>
      <IconButton label={text('shell.dismiss')} onClick={() => setDismissed(subject)}>
        <Icon name="close" size={14} />
      </IconButton>
    </section>
  );
}
