import { useEffect, useLayoutEffect } from 'react';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Icon } from '../shell/Icon.tsx';
import { IconButton } from '../shell/IconButton.tsx';
import { mainId } from '../shell/main-id.ts';
import { ContentView } from './content-view.ts';
import styles from './FullContent.module.css';

/** The way back from a page that has the whole window: this button, or Escape when nothing on the page wants it. The focus stays where it is. */
export function FullContent() {
  const text = useText();
  const view = useService(ContentView);
  useEffect(() => leaveOnEscape(() => view.leave()), [view]);
  useLayoutEffect(() => {
    keepFocus();
    return () => queueMicrotask(keepFocus);
  }, []);
  return (
    <IconButton className={styles.button} label={text('tabs.leaveFullContent')} aria-keyshortcuts="Escape" onClick={() => view.leave()}>
      <Icon name="leaveFullScreen" />
    </IconButton>
  );
}

/** What had the focus may have been hidden with the bars. */
function keepFocus(): void {
  const main = document.getElementById(mainId);
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/** What was open when the key went down closes first: it is gone by the time the key has passed through the page. */
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
