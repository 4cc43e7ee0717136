import { useState } from 'react';
import { clockText, type LoggedEvent, Session, useDiagnostics, useService, useStream, useTranslation } from '#kernel';
import styles from './inspector.module.css';
import { words } from './messages.ts';
import { shownValue } from './shown-value.ts';

/** Lists the events since this section was first opened, with their causes and listeners. */
export function EventsSection() {
  const t = useTranslation();
  const { events, replay } = useDiagnostics();
  const [log] = useState(events);
  const live = useStream(log.events$, log.events);
  const [held, setHeld] = useState<readonly LoggedEvent[]>();
  const [sought, setSought] = useState('');
  const shown = (held ?? live).filter(({ event, by, number }) => `${event} ${by ?? ''} #${number}`.toLowerCase().includes(sought.toLowerCase()));
  return (
    <>
      <div className={styles.bar}>
        <input aria-label={t(words.filter)} placeholder={t(words.filter)} value={sought} onChange={({ target }) => setSought(target.value)} />
        <button type="button" aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : live)}>
          {t(held ? words.resume : words.pause)}
        </button>
        <button type="button" onClick={() => log.clear()}>
          {t(words.clear)}
        </button>
      </div>
      {shown.length === 0 && <p className={styles.quiet}>{t(words.noEvents)}</p>}
      <ul className={styles.list} aria-label={t(words.events)}>
        {shown.map((event) => (
          <EventItem key={event.number} event={event} onReplay={() => replay(event)} />
        ))}
      </ul>
    </>
  );
}

function EventItem({ event: { number, at, event, payload, by, cause, heardBy }, onReplay }: { readonly event: LoggedEvent; readonly onReplay: () => void }) {
  const t = useTranslation();
  const zone = useService(Session).user?.time_zone;
  const nameOf = (id: string | undefined) => id ?? t(words.console);
  const heard = heardBy.length === 0 ? t(words.nobody) : [...new Set(heardBy.map(nameOf))].join(', ');
  return (
    <li className={styles.event}>
      <span className={styles.quiet}>#{number}</span>
      <strong>{event}</strong>
      <span>{t(words.by, { who: nameOf(by) })}</span>
      {cause !== undefined && <span>{t(words.causedBy, { number: String(cause) })}</span>}
      <span>{t(words.heardBy, { who: heard })}</span>
      <time>{clockText(at, zone)}</time>
      {process.env.NODE_ENV !== 'production' && (
        <button type="button" onClick={onReplay}>
          {t(words.replay)}
        </button>
      )}
      <pre>{shownValue(payload)}</pre>
    </li>
  );
}
