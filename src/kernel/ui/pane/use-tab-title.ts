import { useContext, useEffect } from 'react';
import type { LocalizedText } from '#shared/text';
import { PaneContext } from './pane-context.ts';

/** Sets the title of this page's tab in place of the menu's, so that two detail pages of one route are distinguishable. */
export function useTabTitle(title: LocalizedText | undefined): void {
  const pane = useContext(PaneContext);
  const [zh, en] = title ?? [];
  useEffect(() => {
    if (zh !== undefined && en !== undefined) pane.setTitle?.([zh, en]);
  }, [pane, zh, en]);
}
