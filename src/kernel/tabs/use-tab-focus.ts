import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useAfterPaint } from '../use-after-paint.ts';
import { tabId } from './tab-ids.ts';
import type { Tab } from './tabs.ts';

interface Bar {
  readonly tabs: readonly Tab[];
  readonly active: string | undefined;
  /** True: the tabs share the row with the buttons that scroll it. */
  readonly isCrowded: boolean;
}

/** Keeps the tab on screen in sight, and the focus in the bar when the tab that had it is closed. Answers what gives a tab the focus. */
export function useTabFocus(list: RefObject<HTMLElement | null>, { tabs, active, isCrowded }: Bar): (key: string) => void {
  const isInside = useRef(false);

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const enter = () => {
      isInside.current = true;
    };
    // A node that is taken away loses the focus to nothing; whoever moves on moves to something.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: closing and moving tabs is what takes the focus away.
  useLayoutEffect(() => {
    if (active !== undefined && isInside.current && document.activeElement === document.body) focus(active);
  }, [tabs, active]);

  // Where it is has the browser measure the page: it is drawn as the chosen one first.
  const settled = useAfterPaint(active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab on screen goes out of sight when others come, too, or the buttons that scroll.
  useEffect(() => {
    if (settled !== undefined) document.getElementById(tabId(settled))?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [settled, tabs.length, isCrowded]);

  return focus;
}

const focus = (key: string) => document.getElementById(tabId(key))?.focus();
