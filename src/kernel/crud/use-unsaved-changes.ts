import { useContext, useEffect } from 'react';
import { PaneContext } from '../tabs/pane-context.ts';

/** Marks the tab of this page while it holds changes nobody has saved. Hiding the tab does not unmark it. */
export function useUnsavedChanges(dirty: boolean): void {
  const pane = useContext(PaneContext);
  useEffect(() => {
    pane.setDirty(dirty);
  }, [pane, dirty]);
}
