import { useNavigate } from 'react-router-dom';
import { openAddress, useService, useStore, useTranslation } from '#kernel';
import type { InboxKind, InboxStatus } from '#shared/inbox';
import { isAbsoluteUrl, isOpenable } from '#shared/text';
import type { InboxEntry } from '../contract.ts';
import styles from './InboxList.module.css';
import { InboxStore } from './inbox-store.ts';
import { inboxMessages } from './messages.ts';

/** Lists the entries of one tab; a click marks an entry as read and opens its link. */
export function InboxList({ kind, onLeave }: { readonly kind: InboxKind; readonly onLeave: () => void }) {
  const t = useTranslation();
  const store = useService(InboxStore);
  const navigate = useNavigate();
  const { entries, hasMore, status } = useStore(store, ({ lists }) => lists[kind]);

  const select = (entry: InboxEntry) => {
    void store.read(entry);
    if (!entry.link) return;
    if (isAbsoluteUrl(entry.link)) openAddress(entry.link);
    else if (isOpenable(entry.link)) navigate(entry.link);
    onLeave();
  };

  return (
    <div className={styles.list} aria-busy={status === 'loading' || status === 'adding'}>
      {status === 'loading' && <p className={styles.notice}>{t(inboxMessages.loading)}</p>}
      {status === 'failed' && (
        <p className={styles.notice}>
          {t(inboxMessages.failed)}
          <button type="button" className={styles.more} onClick={() => void store.load(kind)}>
            {t('errors.retry')}
          </button>
        </p>
      )}
      {status === 'ready' && entries.length === 0 && <p className={styles.notice}>{t(inboxMessages.none[kind])}</p>}
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button type="button" className={styles.entry} data-read={entry.isRead} onClick={() => select(entry)}>
              <span className={styles.title}>
                {!entry.isRead && <span className={styles.dot} role="img" aria-label={t(inboxMessages.unread)} />}
                <strong>{entry.title}</strong>
                {entry.status !== null && <StatusTag status={entry.status} />}
              </span>
              {entry.body && <span className={styles.body}>{entry.body}</span>}
              <time className={styles.time}>{entry.createTime.slice(0, 16)}</time>
            </button>
          </li>
        ))}
      </ul>
      {(hasMore || status === 'adding') && entries.length > 0 && (
        <button type="button" className={styles.more} aria-disabled={status === 'adding'} onClick={() => void store.loadMore(kind)}>
          <span aria-live="polite">{t(status === 'adding' ? inboxMessages.loading : inboxMessages.more)}</span>
        </button>
      )}
    </div>
  );
}

function StatusTag({ status }: { readonly status: InboxStatus }) {
  const t = useTranslation();
  return (
    <span className={styles.tag} data-status={status}>
      {t(inboxMessages.statuses[status])}
    </span>
  );
}
