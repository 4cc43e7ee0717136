import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { copyText, Http, Toasts, useService, useWords } from '#kernel';
import { type UserRow, user } from '../contract.ts';
import styles from './UserPage.module.css';
import { consoleWords } from './words.ts';

/** A new password for somebody: one made up, which is shown this once, or the initial one. */
export function PasswordReset({ of }: { readonly of: UserRow }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [password, tell] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const reset = async (generate: boolean) => {
    setBusy(true);
    const answer = await http.send(user.resetPassword, { id: of.id, generate }).finally(() => setBusy(false));
    if (!answer.success) return;
    tell(answer.data.password ?? undefined);
    if (!answer.data.password) toasts.success(say(consoleWords.isInitial));
  };
  const copy = async (text: string) => {
    if (await copyText(text)) toasts.success(say(consoleWords.copied));
    else toasts.warning(say(consoleWords.copyFailed));
  };
  return (
    <section className={styles.part}>
      <h3>{say(consoleWords.reset)}</h3>
      {password ? (
        <>
          <p role="status">
            {say(consoleWords.generated)} <strong className={styles.password}>{password}</strong>
          </p>
          <p className={styles.hint}>{say(consoleWords.once)}</p>
          <div className={styles.buttons}>
            <Button type="primary" onClick={() => void copy(password)}>
              {say(consoleWords.copy)}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className={styles.hint}>{say(consoleWords.resetHint)}</p>
          <div className={styles.buttons}>
            <Button type="primary" loading={isBusy} onClick={() => void reset(true)}>
              {say(consoleWords.toGenerated)}
            </Button>
            <Button disabled={isBusy} onClick={() => void reset(false)}>
              {say(consoleWords.toInitial)}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
