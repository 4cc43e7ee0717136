import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useAfterPaint } from '../../base/react/after-paint.ts';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { tabId } from '../tabs/tab-details.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { Tab } from '../tabs/tabs.ts';

interface TabBarState {
  readonly tabs: readonly Tab[];
  readonly active: string | undefined;
  /** True when the row also contains the buttons that scroll it. */
  readonly isCrowded: boolean;
}

/** Scrolls the current tab into view and keeps the focus in the bar when the focused tab is closed. Returns a function that focuses a tab. */
export function useTabFocus(list: RefObject<HTMLElement | null>, { tabs, active, isCrowded }: TabBarState): (key: string) => void {
  const hasFocus = useRef(false);

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const onFocusIn = () => {
      hasFocus.current = true;
    };
    // Removing a focused node blurs it without a related target; moving the focus has one.
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) hasFocus.current = false;
    };
    element.addEventListener('focusin', onFocusIn);
    element.addEventListener('focusout', onFocusOut);
    return () => {
      element.removeEventListener('focusin', onFocusIn);
      element.removeEventListener('focusout', onFocusOut);
    };
  }, [list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: closing and moving tabs is what removes the focus.
  useLayoutEffect(() => {
    if (active !== undefined && hasFocus.current && document.activeElement === document.body) focus(active);
  }, [tabs, active]);

  // Scrolling forces a layout, so the tab is painted as selected first.
  const paintedActive = useAfterPaint(active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening tabs and the scroll buttons can also move the current tab out of view.
  useEffect(() => {
    if (paintedActive !== undefined) document.getElementById(tabId(paintedActive))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [paintedActive, tabs.length, isCrowded]);

  return focus;
}

const focus = (key: string) => document.getElementById(tabId(key))?.focus();

/** Handles keys no browser uses: Alt+W closes the page, Alt+R refreshes it, Alt+PageUp and Alt+PageDown show the previous and the next one. */
export function useTabShortcuts(): void {
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyped(event)) return;
      if (!runShortcut(event.code, store, tabs)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store, tabs]);
}

/** Runs the action of a key; returns false for other keys. */
function runShortcut(code: string, store: TabStore, tabs: readonly Tab[]): boolean {
  const { active } = store;
  const step = code === 'PageUp' ? -1 : code === 'PageDown' ? 1 : 0;
  const next = tabs[(tabs.findIndex(({ key }) => key === active) + step + tabs.length) % tabs.length];
  if (step !== 0 && next) store.open(next);
  else if (code === 'KeyW' && active !== undefined) store.close(active);
  else if (code === 'KeyR' && active !== undefined) store.refresh(active);
  else return false;
  return true;
}

/** On a Mac, Option with a letter types another character, which must reach an input field. */
function isTyped({ target, key, code }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
  return isField && code.startsWith('Key') && key.toLowerCase() !== code.slice(3).toLowerCase();
}
