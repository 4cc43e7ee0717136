import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { useWords } from '#kernel';
import styles from './UserPage.module.css';
import { consoleWords } from './words.ts';

/** Button that replaces a user's password by a generated one. */
export function PasswordReset({ onReset }: { readonly onReset: () => Promise<void> }) {
  const say = useWords();
  const [isBusy, setIsBusy] = useState(false);
  const reset = async () => {
    setIsBusy(true);
    await onReset().finally(() => setIsBusy(false));
  };
  return (
    <section className={styles.part}>
      <h3>{say(consoleWords.reset)}</h3>
      <p className={styles.hint}>{say(consoleWords.resetHint)}</p>
      <div className={styles.buttons}>
        <Button type="primary" loading={isBusy} onClick={() => void reset()}>
          {say(consoleWords.reset)}
        </Button>
      </div>
    </section>
  );
}
