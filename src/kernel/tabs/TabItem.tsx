import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { useText } from '../i18n/use-words.ts';
import { Icon } from '../shell/Icon.tsx';
import styles from './TabBar.module.css';
import { paneId, tabId } from './tab-ids.ts';
import type { Tab } from './tabs.ts';

interface TabItemProps {
  readonly tab: Tab;
  /** Tells it from another tab of the same title. */
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

/** One tab. It may hold no button of its own: the pointer closes it by the cross, the keyboard with Delete. */
export function TabItem({ tab, detail, isActive, isFocusable, isDragged, onShow, onClose, onKeyDown, onPointerDown, onContextMenu }: TabItemProps) {
  const text = useText();
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
      // The middle button would scroll, and it closes.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onAuxClick={(event) => event.button === 1 && onClose()}
    >
      {tab.pinned && <Icon name="pin" size={13} />}
      {tab.dirty && <span className={styles.dirty} />}
      <span className={styles.title}>
        {tab.title}
        {detail && <span className={styles.detail}> · {detail}</span>}
      </span>
      {tab.pinned && <span className="visually-hidden">{text('tabs.pinned')}</span>}
      {tab.dirty && <span className="visually-hidden">{text('tabs.unsaved')}</span>}
      {tab.closable && <Cross onClose={onClose} />}
    </div>
  );
}

/** The pointer's way to close what stands beside it. */
export function Cross({ onClose }: { readonly onClose: () => void }) {
  return (
    <span
      className={styles.cross}
      aria-hidden="true"
      // A press on the cross is neither a choice nor the beginning of a drag.
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
