import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Subscription } from 'rxjs';
import { useService } from '../../base/react/services.tsx';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { createSetDirty, type Pane, PaneContext } from '../pane/pane-context.ts';
import { Icon } from '../primitives/Icon.tsx';
import { IconButton } from '../primitives/IconButton.tsx';
import styles from './SidePanel.module.css';

/** Props of a side panel. */
export interface SidePanelProps {
  /** Heading above the content, also the accessible name of the panel. */
  readonly title: string;
  readonly open: boolean;
  /** Called when the operator closes the panel; if something in it is unsaved, only after they have agreed to discard it. */
  readonly onClose: () => void;
  /** Width in pixels; 1000 by default and never wider than the window. */
  readonly width?: number;
  readonly children: ReactNode;
}

const focusable = ':is(a[href], button, input, textarea, select, [tabindex]):not(:disabled, [tabindex="-1"], [type=hidden])';

/** Renders an open panel: it takes the focus, traps it, and returns it to the opener. */
export default function SidePanelSheet({ title, width = 1000, onClose, children }: SidePanelProps) {
  const t = useTranslation();
  const sheet = useRef<HTMLElement>(null);
  const isOpening = useRef(true);
  const [opener] = useState(() => document.activeElement);
  const { pane, close } = useConfirmedClose(onClose);

  useEffect(() => {
    // The panel takes the focus once: when the tab of its page is shown again, the focus stays in the tab bar. A field with autofocus keeps the focus.
    if (isOpening.current && !sheet.current?.contains(document.activeElement)) sheet.current?.focus();
    isOpening.current = false;
  }, []);
  useUnmount(opener, (element) => element instanceof HTMLElement && element.isConnected && element.focus());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOwnEscape(event, sheet.current)) void close();
    else if (event.key === 'Tab') keepInside(event, sheet.current);
  };

  return (
    <div className={styles.cover}>
      <div className={styles.mask} onClick={() => void close()} aria-hidden="true" />
      <section
        ref={sheet}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        className={styles.sheet}
        style={{ width: `min(${width}px, 100vw)` }}
        onKeyDown={onKeyDown}
      >
        <div className={styles.header}>
          <h2 className={styles.title}>{title}</h2>
          <IconButton label={t('crud.close')} onClick={() => void close()}>
            <Icon name="close" />
          </IconButton>
        </div>
        <div className={styles.body}>
          <PaneContext value={pane}>{children}</PaneContext>
        </div>
      </section>
    </div>
  );
}

/** Provides a pane to the content of the panel, and a function that closes the panel after a question about unsaved changes. */
function useConfirmedClose(onClose: () => void): { readonly pane: Pane; close(): Promise<void> } {
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const parent = useContext(PaneContext);
  const [own] = useState(() => createPanelPane(parent));
  useUnmount(own, ({ pane, lifetime }) => {
    lifetime.unsubscribe();
    parent.setDirty(false, pane);
  });
  const close = async () => {
    const question = {
      title: t('crud.discardTitle'),
      content: t('crud.discardHint'),
      confirm: t('crud.discard'),
      cancel: t('crud.keepEditing'),
      danger: true,
    };
    if (!own.isDirty() || (await dialogs.confirm(question))) onClose();
  };
  return { pane: own.pane, close };
}

function createPanelPane(parent: Pane) {
  let isDirty = false;
  const lifetime = new Subscription();
  const pane: Pane = {
    ...(parent.key === undefined ? {} : { key: parent.key }),
    isPanel: true,
    lifetime,
    setDirty: createSetDirty((dirty) => {
      isDirty = dirty;
      if (!lifetime.closed) parent.setDirty(dirty, pane);
    }),
  };
  parent.lifetime?.add(lifetime);
  return { pane, lifetime, isDirty: () => isDirty };
}

/** Returns false where Escape closes something inside the panel: a dialog, or the popup of a control. */
function isOwnEscape({ target, defaultPrevented }: KeyboardEvent, sheet: HTMLElement | null): boolean {
  const from = target as Element;
  return !defaultPrevented && from.closest('[role=dialog]') === sheet && !from.closest('[aria-haspopup][aria-expanded=true], [role=menu]');
}

function keepInside(event: KeyboardEvent, sheet: HTMLElement | null): void {
  if ((event.target as Element).closest('[role=dialog]') !== sheet) return;
  const reachable = [...(sheet?.querySelectorAll<HTMLElement>(focusable) ?? [])].filter((element) => element.getClientRects().length > 0);
  const [first, last] = [reachable[0], reachable.at(-1)];
  const isAtEdge = event.shiftKey ? event.target === first || event.target === sheet : event.target === last;
  if (!isAtEdge) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
