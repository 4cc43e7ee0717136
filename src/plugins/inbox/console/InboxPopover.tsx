import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { openAddress, useService, useStore, useTranslation } from '#kernel';
import { type InboxKind, type InboxStatus, inboxKinds } from '#shared/inbox';
import { isHttpUrl, isOpenable } from '#shared/text';
import type { InboxEntry } from '../contract.ts';
import listStyles from './InboxList.module.css';
import styles from './InboxPopover.module.css';
import { InboxStore } from './inbox-store.ts';
import { inboxMessages } from './messages.ts';

/** Shows mail, messages and notices in tabs: arrow keys change the tab, Escape closes. */
export default function InboxPopover({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  const store = useService(InboxStore);
  const id = useId();
  const counts = useStore(store, (state) => state.counts);
  const [kind, setKind] = useState<InboxKind>(() => inboxKinds.find((one) => counts[one] > 0) ?? 'mail');
  const hasSamples = useStore(store, ({ lists }) => lists[kind].entries.some(({ isSample }) => isSample));
  const tabs = useRef<HTMLDivElement>(null);

  const focusTab = () => tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  // The focus moves into the popover when it opens.
  useEffect(focusTab, []);
  useEffect(() => void store.load(kind), [store, kind]);

  const selectByArrowKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = inboxKinds[(inboxKinds.indexOf(kind) + step + inboxKinds.length) % inboxKinds.length] as InboxKind;
    setKind(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };

  return (
    <div className={styles.popover} role="dialog" aria-label={t(inboxMessages.title)} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <div ref={tabs} className={styles.tabs} role="tablist" aria-label={t(inboxMessages.title)} onKeyDown={selectByArrowKey}>
        {inboxKinds.map((one) => (
          <button
            key={one}
            id={`${id}-${one}`}
            type="button"
            role="tab"
            className={styles.tab}
            aria-selected={one === kind}
            aria-controls={`${id}-panel`}
            tabIndex={one === kind ? 0 : -1}
            onClick={() => setKind(one)}
          >
            {t(inboxMessages.kinds[one])}
            {counts[one] > 0 && <span className={styles.count}>{counts[one]}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${kind}`}>
        <InboxList kind={kind} onLeave={onClose} />
      </div>
      <div className={styles.foot}>
        {hasSamples && (
          // The button disappears with the samples.
          <button type="button" onClick={() => void store.removeSamples().then(focusTab)}>
            {t(inboxMessages.removeSamples)}
          </button>
        )}
        <button type="button" aria-disabled={counts[kind] === 0} onClick={() => counts[kind] > 0 && void store.readAll(kind)}>
          {t(inboxMessages.readAll)}
        </button>
      </div>
    </div>
  );
}

/** Lists the entries of one tab; a click marks an entry as read and opens its link. */
function InboxList({ kind, onLeave }: { readonly kind: InboxKind; readonly onLeave: () => void }) {
  const t = useTranslation();
  const store = useService(InboxStore);
  const navigate = useNavigate();
  const { entries, hasMore, status } = useStore(store, ({ lists }) => lists[kind]);

  const select = (entry: InboxEntry) => {
    void store.read(entry);
    if (!entry.link) return;
    if (isHttpUrl(entry.link)) openAddress(entry.link);
    else if (isOpenable(entry.link)) navigate(entry.link);
    onLeave();
  };

  return (
    <div className={listStyles.list} aria-busy={status === 'loading' || status === 'adding'}>
      {status === 'loading' && <p className={listStyles.notice}>{t(inboxMessages.loading)}</p>}
      {status === 'failed' && (
        <p className={listStyles.notice}>
          {t(inboxMessages.failed)}
          <button type="button" className={listStyles.more} onClick={() => void store.load(kind)}>
            {t('errors.retry')}
          </button>
        </p>
      )}
      {status === 'ready' && entries.length === 0 && <p className={listStyles.notice}>{t(inboxMessages.none[kind])}</p>}
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button type="button" className={listStyles.entry} data-read={entry.isRead} onClick={() => select(entry)}>
              <span className={listStyles.title}>
                {!entry.isRead && <span className={listStyles.dot} role="img" aria-label={t(inboxMessages.unread)} />}
                <strong>{entry.title}</strong>
                {entry.status !== null && <StatusTag status={entry.status} />}
              </span>
              {entry.body && <span className={listStyles.body}>{entry.body}</span>}
              <time className={listStyles.time}>{entry.createTime.slice(0, 16)}</time>
            </button>
          </li>
        ))}
      </ul>
      {(hasMore || status === 'adding') && entries.length > 0 && (
        <button type="button" className={listStyles.more} aria-disabled={status === 'adding'} onClick={() => void store.loadMore(kind)}>
          <span aria-live="polite">{t(status === 'adding' ? inboxMessages.loading : inboxMessages.more)}</span>
        </button>
      )}
    </div>
  );
}

function StatusTag({ status }: { readonly status: InboxStatus }) {
  const t = useTranslation();
  return (
    <span className={listStyles.tag} data-status={status}>
      {t(inboxMessages.statuses[status])}
    </span>
  );
}
