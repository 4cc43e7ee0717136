import { type RefObject, useEffect, useRef } from 'react';

type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox], [role=combobox]';

/**
 * Handles the keys of this screen while its tab is shown: never while the operator types, never with a modifier except the browser's own shortcut for
 * `print`; of nested screens the innermost handles the key.
 */
export function useShortcuts(page: RefObject<HTMLElement | null>, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;

  // Effects of a hidden tab are unmounted, so only the visible pane listens.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPrint = event.key === 'p' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      const handler = latest.current[isPrint ? 'print' : event.key];
      if (!handler || event.defaultPrevented || event.repeat || (!isPrint && (event.ctrlKey || event.metaKey || event.altKey))) return;
      const target = event.target instanceof Element ? event.target : document.body;
      const screens = document.querySelectorAll('.crud');
      const isInnermost = (target.closest('.crud') ?? [...screens].findLast((screen) => screen.checkVisibility?.() ?? true)) === page.current;
      if (!isInnermost || (!isPrint && target.matches(typing)) || page.current?.querySelector('.arco-modal, .crud-form-page')) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}
