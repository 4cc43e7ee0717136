import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { toggleId } from '../../ui/primitives/main-id.ts';
import { useAddress } from '../routes/use-address.ts';
import styles from './Layout.module.css';

/** Shows the navigation over the page on narrow screens. */
export function Drawer({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const t = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
  return (
    <div ref={focusFirstLink} className={styles.drawer} onKeyDown={onKeyDown} role="dialog" aria-modal="true" aria-label={t('shell.navigation')}>
      <button type="button" className={styles.shade} aria-label={t('shell.closeNavigation')} onClick={onClose} />
      {children}
    </div>
  );
}

/** Holds the state of the drawer: navigation closes it, and closing it otherwise restores the focus. */
export function useDrawer() {
  const { key } = useAddress();
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const close = () => {
    setOpenedAt(undefined);
    // The page behind stays inert until the next frame.
    requestAnimationFrame(() => document.getElementById(toggleId)?.focus());
  };
  return { isOpen, close, toggle: () => (isOpen ? close() : setOpenedAt(key)) };
}

function focusFirstLink(drawer: HTMLElement | null): void {
  drawer?.querySelector('a')?.focus();
}
