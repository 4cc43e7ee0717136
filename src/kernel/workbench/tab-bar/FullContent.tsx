import { useEffect, useLayoutEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { mainId } from '../../ui/primitives/element-ids.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { ContentView } from '../state/content-view.ts';
import styles from './FullContent.module.css';

/** Leaves a page that fills the whole window: by this button, or by Escape when nothing on the page handles it. The focus stays in place. */
export function FullContent() {
  const t = useTranslation();
  const view = useService(ContentView);
  useEffect(() => leaveOnEscape(() => view.leave()), [view]);
  useLayoutEffect(() => {
    keepFocus();
    return () => queueMicrotask(keepFocus);
  }, []);
  return (
    <IconButton className={styles.button} label={t('tabs.leaveFullContent')} aria-keyshortcuts="Escape" onClick={() => view.leave()}>
      <Icon name="leaveFullScreen" />
    </IconButton>
  );
}

/** Moves the focus to the page, because hiding the bars may have hidden the focused element. */
function keepFocus(): void {
  const main = document.getElementById(mainId);
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/** Checks on key down whether something is open, because it would be closed by the time the event has bubbled up. */
function leaveOnEscape(leave: () => void): () => void {
  let isTaken = false;
  const before = (event: KeyboardEvent) => {
    if (event.key === 'Escape') isTaken = isSomethingOpen();
  };
  const after = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isTaken && !event.defaultPrevented) leave();
  };
  document.addEventListener('keydown', before, true);
  document.addEventListener('keydown', after);
  return () => {
    document.removeEventListener('keydown', before, true);
    document.removeEventListener('keydown', after);
  };
}

function isSomethingOpen(): boolean {
  const open = document.querySelectorAll('dialog[open], [role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"][aria-haspopup]');
  return [...open].some((element) => element.getClientRects().length > 0);
}
