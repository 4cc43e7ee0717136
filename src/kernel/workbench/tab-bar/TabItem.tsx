import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { paneId, tabId } from '../tabs/tab-details.ts';
import type { Tab } from '../tabs/tabs.ts';
import styles from './TabBar.module.css';

interface TabItemProps {
  readonly tab: Tab;
  /** Text that distinguishes tabs of the same title. */
  readonly detail: string;
  readonly isActive: boolean;
  readonly isFocusable: boolean;
  readonly isDragged: boolean;
  readonly onShow: () => void;
  readonly onClose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
}

/** Renders one tab. The tab role allows no button inside, so the tab is closed with a click on the icon or the key Delete. */
export function TabItem({ tab, detail, isActive, isFocusable, isDragged, onShow, onClose, onKeyDown, onPointerDown, onContextMenu }: TabItemProps) {
  const t = useTranslation();
  return (
    <div
      id={tabId(tab.key)}
      role="tab"
      className={styles.tab}
      tabIndex={isFocusable ? 0 : -1}
      aria-selected={isActive}
      aria-controls={isActive ? paneId(tab.key) : undefined}
      aria-keyshortcuts={tab.closable ? 'Delete Shift+F10' : 'Shift+F10'}
      aria-haspopup="menu"
      data-dragged={isDragged || undefined}
      title={detail ? `${tab.title} · ${detail}` : tab.title}
      onClick={onShow}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onContextMenu={onContextMenu}
      // The middle button closes the tab, so its default of scrolling is prevented.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onAuxClick={(event) => event.button === 1 && onClose()}
    >
      {tab.pinned && <Icon name="pin" size={13} />}
      {tab.dirty && <span className={styles.dirty} />}
      <span className={styles.title}>
        {tab.title}
        {detail && <span className={styles.detail}> · {detail}</span>}
      </span>
      {tab.pinned && <span className="visually-hidden">{t('tabs.pinned')}</span>}
      {tab.dirty && <span className="visually-hidden">{t('tabs.unsaved')}</span>}
      {tab.closable && <CloseIcon onClose={onClose} />}
    </div>
  );
}

/** Renders the icon that closes a tab; it is not in the accessibility tree. */
export function CloseIcon({ onClose }: { readonly onClose: () => void }) {
  return (
    <span
      className={styles.closeIcon}
      aria-hidden="true"
      // A press on the icon neither selects the tab nor starts a drag.
      onPointerDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        onClose();
      }}
    >
      <Icon name="close" size={12} />
    </span>
  );
}
