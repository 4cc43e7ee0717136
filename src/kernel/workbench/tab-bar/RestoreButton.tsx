import { useEffect, useLayoutEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { mainId } from '../../ui/primitives/element-ids.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { MaximizedContent } from '../state/maximized-content.ts';
import styles from './RestoreButton.module.css';

/** Restores the bars around a maximized page: by a click, or by Escape when nothing on the page handles it. The focus stays on the page. */
export function RestoreButton() {
  const t = useTranslation();
  const content = useService(MaximizedContent);
  useEffect(() => restoreOnEscape(() => content.restore()), [content]);
  useLayoutEffect(() => {
    keepFocus();
    return () => queueMicrotask(keepFocus);
  }, []);
  return (
    <IconButton className={styles.button} label={t('tabs.restoreContent')} aria-keyshortcuts="Escape" onClick={() => content.restore()}>
      <Icon name="leaveFullScreen" />
    </IconButton>
  );
}

/** Moves the focus to the page, because hiding the bars may have hidden the focused element. */
function keepFocus(): void {
  const main = document.getElementById(mainId);
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/** Checks in the capture phase whether a popup is open, because it is closed by the time the event has bubbled up. */
function restoreOnEscape(restore: () => void): () => void {
  let isPopupOpen = false;
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key === 'Escape') isPopupOpen = hasOpenPopup();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isPopupOpen && !event.defaultPrevented) restore();
  };
  document.addEventListener('keydown', onKeyDownCapture, true);
  document.addEventListener('keydown', onKeyDown);
  return () => {
    document.removeEventListener('keydown', onKeyDownCapture, true);
    document.removeEventListener('keydown', onKeyDown);
  };
}

function hasOpenPopup(): boolean {
  const popups = document.querySelectorAll('dialog[open], [role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"][aria-haspopup]');
  return [...popups].some((element) => element.getClientRects().length > 0);
}
