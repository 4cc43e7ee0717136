import type { ReactNode } from 'react';
import type { QueryState } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ActionButton } from '../primitives/ItemList.tsx';
import styles from './loaded-part.module.css';
import { loadingMessages } from './loading-messages.ts';

/** Renders its children once the query has a reply; before that a hint, or a message with a retry button after a failure. */
export function LoadedPart<Reply>({ query, children }: { readonly query: QueryState<Reply>; readonly children: (reply: Reply) => ReactNode }) {
  const t = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <Hint>{t(loadingMessages.waiting)}</Hint>;
  return (
    <div className={styles.state}>
      <span role="alert">{t(loadingMessages.failed)}</span>
      <ActionButton onClick={query.refetch}>{t('errors.retry')}</ActionButton>
    </div>
  );
}

/** Renders a muted sentence in place of content. */
export const Hint = ({ children }: { readonly children: ReactNode }) => <p className={styles.hint}>{children}</p>;
