import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import type { Row } from '../../model/crud-screen.ts';
import { scrollBox } from './use-window.ts';

/** Handlers of the keys of a row. */
export interface RowKeys {
  readonly rows: readonly OutlinedRow[];
  readonly isOpen: (id: string) => boolean;
  readonly toggle: (row: OutlinedRow, isOpen: boolean) => void;
  /** Runs the action of this key if the row has it; returns false otherwise. */
  readonly onAction: (key: string, row: OutlinedRow['row']) => boolean;
  readonly onMenu: (row: OutlinedRow['row'], opener: HTMLElement) => void;
  readonly onSelect?: ((row: OutlinedRow['row']) => void) | undefined;
  readonly onPage: (pages: -1 | 1) => void;
}

/** Moves between rows and acts on the focused one; keys pressed in a control inside a row are left to the control. */
export function handleRowKey(event: KeyboardEvent<HTMLElement>, box: HTMLElement | null, height: number, keys: RowKeys): void {
  const id = (event.target as HTMLElement).dataset.row;
  const isMenu = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
  if (id === undefined || event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !isMenu)) return;
  const index = keys.rows.findIndex(({ row }) => row.id === id);
  const focused = keys.rows[index];
  if (!focused) return;
  const to = targetIndex(event.key, index, keys.rows.length);
  if (isMenu) keys.onMenu(focused.row, event.target as HTMLElement);
  else if (to !== undefined) focusRow(box, to, height, keys.rows[to]?.row.id);
  else if (!runAction(event.key, focused, keys)) return;
  event.preventDefault();
}

function targetIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(count - 1, index + 1);
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Actions of the focused row by key. */
const actionKeys: Readonly<Record<string, string>> = { Enter: 'view', e: 'edit', Delete: 'remove', Backspace: 'remove' };

/** Returns false when the key has no meaning here. */
function runAction(key: string, focused: OutlinedRow, keys: RowKeys): boolean {
  const { onAction, onSelect, toggle, onPage, isOpen } = keys;
  const action = actionKeys[key];
  if (action) return onAction(action, focused.row);
  if (key === 'PageDown' || key === 'PageUp') onPage(key === 'PageDown' ? 1 : -1);
  else if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const opens = key === 'ArrowRight';
    if (!focused.hasChildren || isOpen(focused.row.id) === opens) return false;
    toggle(focused, opens);
  } else {
    if (key !== ' ' || !onSelect) return false;
    onSelect(focused.row);
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
  const observer = new MutationObserver(() => {
    if (!row()) return;
    observer.disconnect();
    row()?.focus();
  });
  observer.observe(body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), 1000);
}

/**
 * Keeps exactly one row in the keyboard's tab order (roving tabindex): the last focused one, or the first rendered one when that is gone. `tabIndex` is set on
 * the element itself, so that moving the focus renders nothing.
 */
export function useRovingTabIndex(box: RefObject<HTMLElement | null>): { readonly onFocus: (event: FocusEvent) => void } {
  const id = useRef<string>(undefined);
  const tabbableRow = useRef<HTMLElement>(null);
  const makeTabbable = (row: HTMLElement | null) => {
    if (row === tabbableRow.current) return;
    if (tabbableRow.current) tabbableRow.current.tabIndex = -1;
    tabbableRow.current = row;
    if (row) row.tabIndex = 0;
  };
  useLayoutEffect(() => {
    const rows = box.current;
    makeTabbable(rows?.querySelector<HTMLElement>(`tr[data-row="${id.current}"]`) ?? rows?.querySelector<HTMLElement>('tr[data-row]') ?? null);
  });
  return {
    onFocus: ({ target }) => {
      const row = (target as HTMLElement).closest<HTMLElement>('tr[data-row]');
      id.current = row?.dataset.row;
      makeTabbable(row);
    },
  };
}

/** A row with its depth in the tree. */
export interface OutlinedRow {
  readonly row: Row;
  readonly level: number;
  readonly hasChildren: boolean;
}

type ChildrenOf = (row: Row) => readonly Row[];

/** Flattens the visible rows of a forest, each parent before its children; children of a collapsed row are left out. */
export function outline(rows: readonly Row[], open: ReadonlySet<string>, childrenOf: ChildrenOf = (row) => row.children ?? []): OutlinedRow[] {
  const outlined: OutlinedRow[] = [];
  const walk = (level: number, siblings: readonly Row[]) => {
    for (const row of siblings) {
      const children = childrenOf(row);
      outlined.push({ row, level, hasChildren: children.length > 0 || row.hasChildren === true });
      if (open.has(row.id)) walk(level + 1, children);
    }
  };
  walk(0, rows);
  return outlined;
}
