import { type KeyboardEvent, useLayoutEffect, useState } from 'react';
import { Store } from '../../../base/store/store.ts';
import type { OutlinedRow } from './row-outline.ts';
import { scrollBox } from './use-window.ts';

/** Handlers of the keys of a row. */
export interface RowKeys {
  readonly rows: readonly OutlinedRow[];
  readonly isOpen: (id: string) => boolean;
  readonly toggle: (row: OutlinedRow, isOpen: boolean) => void;
  readonly onView?: ((row: OutlinedRow['row']) => void) | undefined;
  readonly onEdit?: ((row: OutlinedRow['row']) => void) | undefined;
  readonly onSelect?: ((row: OutlinedRow['row']) => void) | undefined;
  readonly onPage: (pages: -1 | 1) => void;
}

/** Moves between rows and acts on the focused one; keys pressed in a control inside a row are left to the control. */
export function pressOnRow(event: KeyboardEvent<HTMLElement>, box: HTMLElement | null, height: number, keys: RowKeys): void {
  const id = (event.target as HTMLElement).dataset.row;
  if (id === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const index = keys.rows.findIndex(({ row }) => row.id === id);
  const at = keys.rows[index];
  if (!at) return;
  const to = targetIndex(event.key, index, keys.rows.length);
  if (to !== undefined) focusRow(box, to, height, keys.rows[to]?.row.id);
  else if (!runAction(event.key, at, keys)) return;
  event.preventDefault();
}

function targetIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(count - 1, index + 1);
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Returns false when the key has no meaning here. */
function runAction(key: string, at: OutlinedRow, keys: RowKeys): boolean {
  const { onView, onEdit, onSelect, toggle, onPage, isOpen } = keys;
  if (key === 'PageDown' || key === 'PageUp') onPage(key === 'PageDown' ? 1 : -1);
  else if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const opens = key === 'ArrowRight';
    if (!at.hasChildren || isOpen(at.row.id) === opens) return false;
    toggle(at, opens);
  } else {
    const does = { Enter: onView, e: onEdit, ' ': onSelect }[key];
    if (!does) return false;
    does(at.row);
  }
  return true;
}

/** Focuses a row; one that is not rendered is scrolled to first. */
export function focusRow(box: HTMLElement | null, index: number, height: number, id: string | undefined): void {
  const row = () => box?.querySelector<HTMLElement>(`[data-row="${id}"]`);
  const body = scrollBox(box);
  row()?.focus();
  if (row() || !body) return;
  body.scrollTop = Math.max(0, index * height - body.clientHeight / 2);
  const waiting = new MutationObserver(() => {
    if (!row()) return;
    waiting.disconnect();
    row()?.focus();
  });
  waiting.observe(body, { childList: true, subtree: true });
  setTimeout(() => waiting.disconnect(), 1000);
}

/** Id of the one row that Tab reaches: the last focused one. */
export class Roving extends Store<{ readonly id: string | undefined }> {
  move(id: string | undefined): void {
    this.update(() => ({ id }));
  }
}

/** Moves the tab stop to the first rendered row when the row that had it is gone. */
export function useRoving(places: ReadonlyMap<string, unknown>, first: string | undefined): Roving {
  const [roving] = useState(() => new Roving({ id: first }));
  useLayoutEffect(() => {
    if (!places.has(roving.state.id ?? '')) roving.move(first);
  }, [roving, places, first]);
  return roving;
}
