import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useAfterPaint } from '../../base/react/use-after-paint.ts';
import { tabId } from '../tabs/tab-ids.ts';
import type { Tab } from '../tabs/tabs.ts';

interface Bar {
  readonly tabs: readonly Tab[];
  readonly active: string | undefined;
  /** True when the row also contains the buttons that scroll it. */
  readonly isCrowded: boolean;
}

/** Scrolls the current tab into view and keeps the focus in the bar when the focused tab is closed. Returns a function that focuses a tab. */
export function useTabFocus(list: RefObject<HTMLElement | null>, { tabs, active, isCrowded }: Bar): (key: string) => void {
  const isInside = useRef(false);

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const enter = () => {
      isInside.current = true;
    };
    // Removing a focused node blurs it without a related target; moving the focus has one.
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) isInside.current = false;
    };
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
    };
  }, [list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: closing and moving tabs is what removes the focus.
  useLayoutEffect(() => {
    if (active !== undefined && isInside.current && document.activeElement === document.body) focus(active);
  }, [tabs, active]);

  // Scrolling forces a layout, so the tab is painted as selected first.
  const settled = useAfterPaint(active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening tabs and the scroll buttons can also move the current tab out of view.
  useEffect(() => {
    if (settled !== undefined) document.getElementById(tabId(settled))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [settled, tabs.length, isCrowded]);

  return focus;
}

const focus = (key: string) => document.getElementById(tabId(key))?.focus();
