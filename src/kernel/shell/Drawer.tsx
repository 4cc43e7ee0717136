import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import { useAddress } from '../router/use-address.ts';
import styles from './Layout.module.css';
import { toggleId } from './main-id.ts';

/** Navigation over the page, where it has no room beside it. */
export function Drawer({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const text = useText();
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
  return (
    <div ref={focusFirstLink} className={styles.drawer} onKeyDown={onKeyDown} role="dialog" aria-modal="true" aria-label={text('shell.navigation')}>
      <button type="button" className={styles.shade} aria-label={text('shell.closeNavigation')} onClick={onClose} />
      {children}
    </div>
  );
}

/** Whether the drawer is open: it goes when a page is chosen, and gives the focus back when it is closed without. */
export function useDrawer() {
  const { key } = useAddress();
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const close = () => {
    setOpenedAt(undefined);
    // The page behind is inert until this has been drawn.
    requestAnimationFrame(() => document.getElementById(toggleId)?.focus());
  };
  return { isOpen, close, toggle: () => (isOpen ? close() : setOpenedAt(key)) };
}

function focusFirstLink(drawer: HTMLElement | null): void {
  drawer?.querySelector('a')?.focus();
}
