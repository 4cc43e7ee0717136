import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { TabStore } from '../tabs/tab-store.ts';

/** Distance in pixels after which a press becomes a drag. */
const dragThreshold = 6;
/** Distance in pixels from the end of the bar within which a drag scrolls it. */
const scrollZone = 32;

interface TabDrag {
  /** Key of the dragged tab. */
  readonly dragged: string | undefined;
  readonly onPointerDown: (key: string, event: ReactPointerEvent) => void;
}

/** Moves a tab with the mouse or a pen: it swaps with each neighbour whose middle it passes; Escape puts it back. */
export function useTabDrag(list: RefObject<HTMLElement | null>): TabDrag {
  const store = useService(TabStore);
  const [dragged, setDragged] = useState<string>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = (key: string, event: ReactPointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch' || !list.current) return;
    stop.current?.();
    stop.current = startDrag({
      list: list.current,
      tab: event.currentTarget,
      startX: event.clientX,
      move: (to) => store.move(key, to),
      onDragChange: (isDragging) => setDragged(isDragging ? key : undefined),
    });
  };
  return { dragged, onPointerDown };
}

interface TabDragHandlers {
  readonly list: HTMLElement;
  readonly tab: Element;
  readonly startX: number;
  move(to: number): void;
  onDragChange(isDragging: boolean): void;
}

/** Listens on the document, because a node that moves in the document would lose a captured pointer. */
function startDrag({ list, tab, startX, move, onDragChange }: TabDragHandlers): () => void {
  const controller = new AbortController();
  const from = indexOf(tab, list);
  let isDragging = false;
  const end = () => {
    controller.abort();
    onDragChange(false);
  };
  const onMove = ({ clientX }: PointerEvent) => {
    if (!isDragging && Math.abs(clientX - startX) < dragThreshold) return;
    if (!isDragging) onDragChange(true);
    isDragging = true;
    scrollAtEdge(list, clientX);
    const index = indexOf(tab, list);
    const [before, after] = [list.children[index - 1], list.children[index + 1]];
    if (after && clientX > middleOf(after)) move(index + 1);
    else if (before && clientX < middleOf(before)) move(index - 1);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    move(from);
    end();
  };
  const { signal } = controller;
  document.addEventListener('pointermove', onMove, { signal });
  document.addEventListener('pointerup', end, { signal });
  document.addEventListener('pointercancel', end, { signal });
  document.addEventListener('keydown', onKey, { signal, capture: true });
  return end;
}

const indexOf = (tab: Element, list: HTMLElement) => [...list.children].indexOf(tab);

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

function scrollAtEdge(list: HTMLElement, x: number): void {
  const { left, right } = list.getBoundingClientRect();
  if (x < left + scrollZone) list.scrollLeft -= scrollZone / 2;
  else if (x > right - scrollZone) list.scrollLeft += scrollZone / 2;
}
