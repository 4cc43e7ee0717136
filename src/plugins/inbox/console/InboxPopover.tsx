import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useService, useStore, useTranslation } from '#kernel';
import { type InboxKind, inboxKinds } from '#shared/inbox';
import { InboxList } from './InboxList.tsx';
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

  useEffect(() => tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(), []);
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
          <button type="button" onClick={() => void store.removeSamples()}>
            {t(inboxMessages.removeSamples)}
          </button>
        )}
        <button type="button" disabled={counts[kind] === 0} onClick={() => void store.readAll(kind)}>
          {t(inboxMessages.readAll)}
        </button>
      </div>
    </div>
  );
}
