import { useEffect, useState } from 'react';
import { skip } from 'rxjs';
import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Live } from '../../platform/live/live.ts';
import { TabStore } from '../tabs/tab-store.ts';
import styles from './VersionPrompt.module.css';

/** Offers a reload when the server has another build; it never reloads on its own and warns when unsaved input would be lost. */
export function VersionPrompt() {
  const t = useTranslation();
  const live = useService(Live);
  const tabs = useService(TabStore);
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    const subscription = live.build$.pipe(skip(1)).subscribe(() => setIsOffered(true));
    return () => subscription.unsubscribe();
  }, [live]);
  return (
    <div role="status">
      {isOffered && (
        <section className={styles.prompt} aria-label={t('connection.newVersion')}>
          <p>{t('connection.newVersion')}</p>
          <p className={styles.hint}>{t(tabs.isDirty ? 'connection.newVersionUnsaved' : 'connection.newVersionHint')}</p>
          <div className={styles.buttons}>
            <button type="button" onClick={() => setIsOffered(false)}>
              {t('connection.later')}
            </button>
            <button type="button" className={styles.primary} onClick={() => window.location.reload()}>
              {t('connection.reload')}
            </button>
          </div>
        </section>
      )}
    </div>
  );
}
