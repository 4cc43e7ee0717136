import { useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { roleNames } from '../../platform/session/role-names.ts';
import { Session } from '../../platform/session/session.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './PreviewBanner.module.css';
import { Preview } from './preview.ts';

/** Shows the roles of the running preview and ends it. */
export default function PreviewBanner() {
  const t = useTranslation();
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const preview = useService(Preview);
  const [isEnding, setIsEnding] = useState(false);
  const leave = async () => {
    setIsEnding(true);
    await preview.end();
    setIsEnding(false);
  };
  return (
    <section className={styles.banner} aria-label={t('preview.title')}>
      <Icon name="eye" size={16} />
      <p role="status">
        <strong>{t('preview.as', { roles: roleNames(user, t('shell.listSeparator')) || t('preview.none') })}</strong> <span>{t('preview.readOnly')}</span>
      </p>
      <button type="button" disabled={isEnding} onClick={() => void leave()}>
        {t('preview.end')}
      </button>
    </section>
  );
}
