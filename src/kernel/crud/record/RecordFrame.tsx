import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { RecordPlace } from './record-place.ts';

interface RecordFrameProps {
  readonly place: Exclude<RecordPlace, 'drawer'>;
  /** Accessible name. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** Frames a record: a panel beside the list, which stays usable, or the whole page. */
export function RecordFrame({ place, label, isBusy, children }: RecordFrameProps) {
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => (place === 'page' && frame.current ? hideOthers(frame.current) : undefined), [place]);
  return place === 'page' ? (
    <section ref={frame} className="record record_page" aria-label={label} aria-busy={isBusy}>
      {children}
    </section>
  ) : (
    <aside className="record record_beside">
      <section ref={frame} className="record__sheet" role="dialog" aria-label={label} aria-busy={isBusy}>
        {children}
      </section>
    </aside>
  );
}

/** Hides what the page shows around its list, such as a tree, while the tab shows one record. Returns a function that shows it again. */
function hideOthers(frame: HTMLElement): () => void {
  const marked: Element[] = [];
  const mark = (element: Element, value: string) => {
    element.setAttribute('data-record', value);
    marked.push(element);
  };
  const pane = frame.closest('[data-pane]');
  for (let inner: Element | null = pane && frame.closest('.crud'); inner && inner !== pane; inner = inner.parentElement) {
    for (const other of inner.parentElement?.children ?? []) if (other !== inner && !other.matches('.visually-hidden')) mark(other, 'beside');
    if (inner.parentElement && inner.parentElement !== pane) mark(inner.parentElement, 'around');
  }
  return () => {
    for (const element of marked) element.removeAttribute('data-record');
  };
}
