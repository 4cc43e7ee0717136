import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { onPaper } from '../../theme/paper.ts';

/** From how many rows on only those in sight are drawn; and how many cards are drawn at a time. */
export const windowFrom = 200;

const margin = 24;
const step = 12;

/** The rows that are drawn, from `first` to before `last`, and the space the others take above and below. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly above: number;
  readonly below: number;
  /** Draws some more behind the last, where the operator asks for them. */
  readonly more?: () => void;
}

/**
 * Which of many rows of one height are near enough to be seen to be drawn; all of them where they are few, and on paper. Cards have many heights: of them the
 * first are drawn, and more on demand.
 */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, height: number, isCarded: boolean): RowWindow {
  const isLong = count > windowFrom;
  const [isPaper, setPaper] = useState(false);
  const isWindowed = isLong && !isPaper && !isCarded;
  const [first, setFirst] = useState(0);
  const [cards, setCards] = useState(windowFrom);

  useEffect(() => {
    const body = isWindowed ? scrollBox(box.current) : null;
    if (!body) return;
    const look = () => setFirst(Math.max(0, Math.floor((body.scrollTop / height - margin) / step) * step));
    look();
    body.addEventListener('scroll', look, { passive: true });
    return () => body.removeEventListener('scroll', look);
  }, [box, isWindowed, height]);

  useEffect(() => (isLong ? onPaper((begins) => flushSync(() => setPaper(begins))) : undefined), [isLong]);

  if (isCarded && !isPaper && count > cards) return { first: 0, last: cards, above: 0, below: 0, more: () => flushSync(() => setCards(cards + windowFrom)) };
  if (!isWindowed) return { first: 0, last: count, above: 0, below: 0 };
  const from = Math.min(first, Math.max(0, count - step));
  const last = Math.min(count, from + Math.ceil(tallestScreen / height) + margin * 2 + step);
  return { first: from, last, above: from * height, below: (count - last) * height };
}

const tallestScreen = 900;

/** The part of a table that scrolls. */
export const scrollBox = (box: HTMLElement | null) => box?.querySelector<HTMLElement>('.arco-table-body') ?? null;

/** How tall a row is drawn; a guess until one is there. */
export function useRowHeight(box: RefObject<HTMLElement | null>, density: string, isDrawn: boolean): number {
  const [height, setHeight] = useState(46);
  useLayoutEffect(() => {
    if (!isDrawn) return;
    const row = box.current?.querySelector(`[data-row][data-density="${density}"]`);
    const measured = row?.getBoundingClientRect().height ?? 0;
    if (measured > 0) setHeight(measured);
  }, [box, density, isDrawn]);
  return height;
}
