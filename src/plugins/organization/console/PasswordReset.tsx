import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { useTranslation } from '#kernel';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';

/** Button that replaces a user's password by a generated one. */
export function PasswordReset({ onReset }: { readonly onReset: () => Promise<void> }) {
  const t = useTranslation();
  const [isBusy, setIsBusy] = useState(false);
  const reset = async () => {
    setIsBusy(true);
    await onReset().finally(() => setIsBusy(false));
  };
  return (
    <section className={styles.part}>
      <h3>{t(consoleMessages.reset)}</h3>
      <p className={styles.hint}>{t(consoleMessages.resetHint)}</p>
      <div className={styles.buttons}>
        <Button type="primary" loading={isBusy} onClick={() => void reset()}>
          {t(consoleMessages.reset)}
        </Button>
      </div>
    </section>
  );
}
