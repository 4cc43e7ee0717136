import { type RefObject, useEffect, useRef } from 'react';

type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox], [role=combobox]';

/** Keys that act on this screen while its tab is shown: never while somebody types, never with a modifier but for `print`, the browser's own key for it, and of several screens the innermost answers. */
export function useShortcuts(page: RefObject<HTMLElement | null>, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;

  // The effects of a hidden tab are undone: only the pane on screen listens.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPrint = event.key === 'p' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      const does = latest.current[isPrint ? 'print' : event.key];
      if (!does || event.defaultPrevented || event.repeat || (!isPrint && (event.ctrlKey || event.metaKey || event.altKey))) return;
      const target = event.target instanceof Element ? event.target : document.body;
      const screens = document.querySelectorAll('.crud');
      const isMine = (target.closest('.crud') ?? [...screens].findLast((screen) => screen.checkVisibility?.() ?? true)) === page.current;
      if (!isMine || (!isPrint && target.matches(typing)) || page.current?.querySelector('.arco-modal, .crud-form-page')) return;
      event.preventDefault();
      does();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [page]);
}
