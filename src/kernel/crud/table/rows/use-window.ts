import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { onPrint } from '../../../platform/theme/on-print.ts';
import type { Row } from '../../model/crud-screen.ts';

/** Number of rows from which only the visible ones are rendered; also the number of cards that are rendered at a time. */
export const windowFrom = 200;

const overscan = 24;
const step = 12;

/** The rendered rows, from `first` to before `last`, and the height of the others above and below in pixels. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly above: number;
  readonly below: number;
  /** Renders further cards on request. */
  readonly more?: () => void;
}

interface WindowOptions {
  readonly showsCards: boolean;
  /** True while only the visible rows of a new list are rendered; the list is then scrolled to its top. */
  readonly isFirstPart: boolean;
}

/**
 * Selects the rows to render: those near the visible part of a long list, all rows of a short one and for printing. The heights of cards differ, so the
 * first ones are rendered and more on demand.
 */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, height: number, { showsCards, isFirstPart }: WindowOptions): RowWindow {
  const isLong = count > windowFrom;
  const [isPrinting, setIsPrinting] = useState(false);
  const isWindowed = isLong && !isPrinting && !showsCards;
  const [first, setFirst] = useState(0);
  const [cards, setCards] = useState(windowFrom);

  useEffect(() => {
    const body = isWindowed ? scrollBox(box.current) : null;
    if (!body) return;
    const updateFirst = () => setFirst(Math.max(0, Math.floor((body.scrollTop / height - overscan) / step) * step));
    updateFirst();
    body.addEventListener('scroll', updateFirst, { passive: true });
    return () => body.removeEventListener('scroll', updateFirst);
  }, [box, isWindowed, height]);

  useLayoutEffect(() => {
    const body = scrollBox(box.current);
    if (isFirstPart && body && body.scrollTop > 0) body.scrollTop = 0;
  }, [box, isFirstPart]);

  useEffect(() => (isLong ? onPrint((begins) => flushSync(() => setIsPrinting(begins))) : undefined), [isLong]);

  const visible = Math.ceil(window.innerHeight / height);
  if (isFirstPart && !isPrinting && count > visible) return { first: 0, last: visible, above: 0, below: (count - visible) * height };
  if (showsCards && !isPrinting && count > cards)
    return { first: 0, last: cards, above: 0, below: 0, more: () => flushSync(() => setCards(cards + windowFrom)) };
  if (!isWindowed) return { first: 0, last: count, above: 0, below: 0 };
  const from = Math.min(first, Math.max(0, count - step));
  const last = Math.min(count, from + visible + overscan * 2 + step);
  return { first: from, last, above: from * height, below: (count - last) * height };
}

/** Returns the scrolling element of a table. */
export const scrollBox = (box: HTMLElement | null) => box?.querySelector<HTMLElement>('.crud-table__scroll') ?? null;

/** Measures the height of a row in pixels; returns an estimate until one is rendered. */
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

/**
 * Returns true while only the visible rows are to be rendered, because most rows are new, such as those of the next page. The other rows follow without blocking
 * input.
 */
export function useFirstPart(rows: readonly Row[]): boolean {
  const [state, setState] = useState({ rows, isPart: false });
  const isPart = state.rows === rows ? state.isPart : state.isPart || areMostlyNew(rows, state.rows);
  if (state.rows !== rows) setState({ rows, isPart });

  useEffect(() => {
    if (isPart) startTransition(() => setState({ rows, isPart: false }));
  }, [rows, isPart]);
  return isPart;
}

/** Returns true if most of the rows are not among the former ones. */
function areMostlyNew(rows: readonly Row[], former: readonly Row[]): boolean {
  if (rows === former) return false;
  const formerIds = new Set(former.map(({ id }) => id));
  return rows.filter(({ id }) => formerIds.has(id)).length * 2 < rows.length;
}
