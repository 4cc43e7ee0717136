import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** Keeps what it shows alive while its elements are taken out of the document, so that nobody finds them there; they come back as they were, scrolled where they were. */
export function Detachable({ isDetached, children }: { readonly isDetached: boolean; readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [host] = useState(() => {
    const element = document.createElement('div');
    element.style.display = 'contents';
    return element;
  });
  // As a ref of an earlier sibling it runs before the effects of the children, which measure themselves.
  const settle = useCallback(
    (element: HTMLDivElement | null) => {
      place.current = element;
      element?.append(host);
    },
    [host],
  );

  useLayoutEffect(() => {
    if (!isDetached) return;
    const scrolled = [...host.querySelectorAll('*')].map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }));
    host.remove();
    return () => {
      place.current?.append(host);
      for (const { element, top, left } of scrolled) if (top > 0 || left > 0) element.scrollTo({ top, left });
    };
  }, [host, isDetached]);

  return (
    <>
      <div ref={settle} style={{ display: 'contents' }} />
      {createPortal(children, host)}
    </>
  );
}
