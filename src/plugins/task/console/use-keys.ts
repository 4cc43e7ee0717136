import { useEffect, useRef } from 'react';

const typing = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=textbox], [role=combobox]';
const above = '[role=dialog], .arco-modal';

/** Handles keys for a page while its tab is shown; ignored while typing, with a modifier, or while a dialog is open. */
export function useKeys(press: (key: string) => boolean): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof Element && (target.matches(typing) || target.closest(above))) return;
      if ([...document.querySelectorAll(above)].some((one) => one.checkVisibility())) return;
      // A repeating key would decide submissions that the auditor has not seen.
      if (event.repeat && !/^Arrow|[+\-=]/.test(key)) return;
      if (latest.current(key.toLowerCase())) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
