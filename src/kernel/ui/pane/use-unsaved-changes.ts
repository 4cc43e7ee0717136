import { useContext, useEffect, useState } from 'react';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { PaneContext } from './pane-context.ts';

/** Marks the tab of this page while it has unsaved changes; several sources on one page are counted. Hiding the tab keeps the mark, unmounting removes it. */
export function useUnsavedChanges(dirty: boolean): void {
  const pane = useContext(PaneContext);
  const [source] = useState(() => ({}));
  useEffect(() => {
    pane.setDirty(dirty, source);
  }, [pane, dirty, source]);
  useUnmount(pane, (formerPane) => formerPane.setDirty(false, source));
}
