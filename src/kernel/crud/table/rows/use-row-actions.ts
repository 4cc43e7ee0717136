import { type MouseEvent, useCallback, useRef, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { Row } from '../../model/crud-screen.ts';
import { offeredActions, type RowButton } from '../columns/row-actions.tsx';
import { useStableList } from '../columns/use-stable-list.ts';
import type { OpenedMenu } from './RowMenu.tsx';

const isSame = (one: RowButton, other: RowButton) =>
  one.key === other.key &&
  one.title === other.title &&
  one.isDanger === other.isDanger &&
  one.isDisabled === other.isDisabled &&
  one.isOffered === other.isOffered;

/** Milliseconds until a row shows that its action is still running. */
const busyAfterMs = 300;

/** Marks a row as busy while its action takes longer than a moment. */
function showProgress({ id }: Row, work: Promise<unknown>): void {
  const element = () => document.querySelector(`tr[data-row="${CSS.escape(id)}"]`);
  const timer = setTimeout(() => element()?.setAttribute('aria-busy', 'true'), busyAfterMs);
  void work.finally(() => {
    clearTimeout(timer);
    element()?.removeAttribute('aria-busy');
  });
}

/** Returns the actions of the rows, their handlers and the open menu. The handlers keep their identity when an action changes. */
export function useRowActions(offered: readonly RowButton[], nameOf: (row: Row) => string) {
  const t = useTranslation();
  const [menu, setMenu] = useState<OpenedMenu>();
  const buttons = useStableList(offered, isSame);
  const latest = useRef({ offered, nameOf, t });
  latest.current = { offered, nameOf, t };

  const run = useCallback((key: string, row: Row): boolean => {
    const action = offeredActions(latest.current.offered, row).find((button) => button.key === key);
    if (!action || action.isDisabled) return false;
    const running = action.onClick(row);
    if (running instanceof Promise) showProgress(row, running);
    return true;
  }, []);

  const open = useCallback(
    (row: Row, opener: HTMLElement, { area = opener.getBoundingClientRect(), keys }: { area?: OpenedMenu['area']; keys?: readonly string[] } = {}) => {
      const { nameOf: name, t: translate, offered: current } = latest.current;
      const actions = offeredActions(current, row).filter(({ key }) => keys?.includes(key) ?? true);
      if (actions.length > 0) setMenu({ row, label: `${translate('crud.actions')} · ${name(row)}`, actions, area, opener });
      return actions.length > 0;
    },
    [],
  );

  const openBelow = useCallback((row: Row, keys: readonly string[], opener: HTMLElement) => void open(row, opener, { keys }), [open]);
  const openAt = useCallback((row: Row, opener: HTMLElement) => void open(row, opener), [open]);
  const closeMenu = useCallback(() => setMenu(undefined), []);

  /** Opens the menu of the row under the pointer; links, inputs and selected text keep the menu of the browser. */
  const onContextMenu = (event: MouseEvent<HTMLElement>, rows: readonly Row[]) => {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>('tr[data-row]');
    const row = rows.find(({ id }) => id === element?.dataset.row);
    if (!element || !row || target.closest('a, input, textarea, img') || String(getSelection()) !== '') return;
    const { clientX: x, clientY: y } = event;
    const pointerArea = { left: x, right: x, top: y, bottom: y };
    if (open(row, element, x === 0 && y === 0 ? {} : { area: pointerArea })) event.preventDefault();
  };

  return { buttons, menu, run, openBelow, openAt, closeMenu, onContextMenu };
}
