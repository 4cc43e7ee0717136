import { useId } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Preferences } from '../state/preferences.ts';
import styles from './IdleChoice.module.css';
import { idleChoices } from './idle-watch.ts';

/** Sets the idle time after which the screen locks itself. */
export function IdleChoice() {
  const t = useTranslation();
  const id = useId();
  const preferences = useService(Preferences);
  const minutes = useStore(preferences, ({ idleLockMinutes }) => idleLockMinutes);
  return (
    <div className={styles.idle}>
      <label htmlFor={id}>{t('lock.idle')}</label>
      <select
        id={id}
        value={minutes}
        aria-describedby={`${id}-explained`}
        onChange={(event) => preferences.change({ idleLockMinutes: Number(event.target.value) })}
      >
        {idleChoices.map((choice) => (
          <option key={choice} value={choice}>
            {choice === 0 ? t('lock.idleNever') : t('lock.idleMinutes', { minutes: choice })}
          </option>
        ))}
      </select>
      <p id={`${id}-explained`}>{t('lock.idleExplained')}</p>
    </div>
  );
}
