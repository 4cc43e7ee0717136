import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { displayName, roleNames, useUser } from '../../platform/session/use-user.ts';
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
  const user = useUser();
  const greeting = greetings.find(([until]) => new Date().getHours() < until)?.[1] ?? 'shell.greetingEvening';
  return (
    <section className={styles.hello}>
      <h2>{t(greeting, { name: displayName(user) })}</h2>
      <p>{t('shell.roleLine', { role: roleNames(user, t('shell.listSeparator')) })}</p>
    </section>
  );
}
