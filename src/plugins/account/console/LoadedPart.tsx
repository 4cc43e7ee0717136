import type { ReactNode } from 'react';
import { type QueryState, useTranslation } from '#kernel';
import { loadingMessages } from './loading-messages.ts';
import styles from './sections.module.css';

/** Renders its children once the query has a reply; while it loads a hint, after a failure a message with a retry button. */
export function LoadedPart<Reply>({ asked, children }: { readonly asked: QueryState<Reply>; readonly children: (reply: Reply) => ReactNode }) {
  const t = useTranslation();
  if (asked.data !== undefined) return children(asked.data);
  if (!asked.error) return <p className={styles.hint}>{t(loadingMessages.waiting)}</p>;
  return (
    <div className={styles.state}>
      <span role="alert">{t(loadingMessages.failed)}</span>
      <button type="button" className={styles.action} onClick={asked.refetch}>
        {t('errors.retry')}
      </button>
    </div>
  );
}
