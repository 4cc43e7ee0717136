import type { ReactNode } from 'react';
import { useText } from '../i18n/use-words.ts';
import type { Asked } from '../use-asked.ts';
import styles from './AccountPage.module.css';

/** What was asked for, once it is there; a word and another try where it is not. */
export function LoadedPart<Reply>({ asked, children }: { readonly asked: Asked<Reply>; readonly children: (reply: Reply) => ReactNode }) {
  const text = useText();
  if (asked.reply !== undefined) return children(asked.reply);
  if (!asked.hasFailed) return <p className={styles.hint}>{text('account.waiting')}</p>;
  return (
    <div className={styles.state}>
      <span role="alert">{text('account.loadFailed')}</span>
      <button type="button" className={styles.action} onClick={asked.reload}>
        {text('errors.retry')}
      </button>
    </div>
  );
}
