import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** Keeps its children mounted while their elements are removed from the document, so that nothing in the page can reach them; they return with their state and scroll positions. */
export function KeepAlive({ isDetached, children }: { readonly isDetached: boolean; readonly children: ReactNode }) {
  const containerRef = useRef<HTMLDivElement>(null);
  const [host] = useState(() => {
    const element = document.createElement('div');
    element.style.display = 'contents';
    return element;
  });
  // As the ref of an earlier sibling it runs before the effects of the children, which measure themselves.
  const settle = useCallback(
    (element: HTMLDivElement | null) => {
      containerRef.current = element;
      element?.append(host);
    },
    [host],
  );

  useLayoutEffect(() => {
    if (!isDetached) return;
    const scrolled = [...host.querySelectorAll('*')].map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }));
    host.remove();
    return () => {
      containerRef.current?.append(host);
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
