import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { roleNames } from '../../platform/session/role-names.ts';
import { Session } from '../../platform/session/session.ts';
import styles from './Home.module.css';

const greetings: readonly (readonly [untilHour: number, key: TextKey])[] = [
  [11, 'shell.greetingMorning'],
  [13, 'shell.greetingNoon'],
  [18, 'shell.greetingAfternoon'],
  [24, 'shell.greetingEvening'],
];

/** Greets the user by name and shows their roles. */
export function Greeting() {
  const t = useTranslation();
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const greeting = greetings.find(([until]) => new Date().getHours() < until)?.[1] ?? 'shell.greetingEvening';
  return (
    <section className={styles.hello}>
      <h2>{t(greeting, { name: user?.real_name || user?.user_name || user?.account || '' })}</h2>
      <p>{t('shell.roleLine', { role: roleNames(user, t('shell.listSeparator')) })}</p>
    </section>
  );
}
