import type { ReactNode } from 'react';
import { type QueryState, useTranslation } from '#kernel';
import styles from './sections.module.css';

export const loadingMessages = {
  waiting: ['请稍候…', 'Please wait…'],
  loadFailed: ['加载失败', 'Could not load'],
} as const;

/** Renders its children once the query has a reply; while it loads a hint, after a failure a message with a retry button. */
export function LoadedPart<Reply>({ asked, children }: { readonly asked: QueryState<Reply>; readonly children: (reply: Reply) => ReactNode }) {
  const t = useTranslation();
  if (asked.reply !== undefined) return children(asked.reply);
  if (!asked.hasFailed) return <p className={styles.hint}>{t(loadingMessages.waiting)}</p>;
  return (
    <div className={styles.state}>
      <span role="alert">{t(loadingMessages.loadFailed)}</span>
      <button type="button" className={styles.action} onClick={asked.reload}>
        {t('errors.retry')}
      </button>
    </div>
  );
}
