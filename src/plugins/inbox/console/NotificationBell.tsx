import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { CountBadge, Icon, IconButton, lazyComponent, useService, useStore, useTranslation } from '#kernel';
import { bellMessages } from './bell-messages.ts';
import { InboxStore } from './inbox-store.ts';
import styles from './NotificationBell.module.css';

const InboxPopover = lazyComponent(() => import('./InboxPopover.tsx'));

/** Shows the number of unread entries in the top bar and opens the inbox. Escape and a click elsewhere close it. */
export function NotificationBell() {
  const t = useTranslation();
  const store = useService(InboxStore);
  const unread = useStore(store, ({ counts }) => counts.mail + counts.message + counts.notice);
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => void store.count(), [store]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: PointerEvent) => root.current?.contains(event.target as Node) || setIsOpen(false);
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = useCallback(() => {
    setIsOpen(false);
    button.current?.focus();
  }, []);

  return (
    <div ref={root} className={styles.root}>
      <IconButton
        ref={button}
        label={unread > 0 ? t(bellMessages.openUnread, { count: unread }) : t(bellMessages.open)}
        text={t(bellMessages.open)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="bell" />
        <CountBadge count={unread} />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <InboxPopover onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
