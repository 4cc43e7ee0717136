import { useEffect, useLayoutEffect, useRef } from 'react';
import { MenuList } from '../../../ui/menus/MenuList.tsx';
import type { Row } from '../../model/crud-screen.ts';
import type { RowButton } from '../columns/row-actions.tsx';

/** A menu with actions of a row, opened by a button, a right click or a key. */
export interface OpenedMenu {
  readonly row: Row;
  readonly label: string;
  readonly actions: readonly RowButton[];
  /** Place of the menu in the window: it opens below this area, or above it where there is no room. */
  readonly area: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** Receives the focus when the menu closes. */
  readonly opener: HTMLElement;
}

interface RowMenuProps {
  readonly menu: OpenedMenu;
  readonly onClose: () => void;
}

const gap = 4;

/** Renders the opened menu of a row over the table; a press elsewhere or scrolling closes it. */
export default function RowMenu({ menu, onClose }: RowMenuProps) {
  const { row, label, actions, area, opener } = menu;
  const box = useRef<HTMLDivElement>(null);
  const close = () => {
    onClose();
    opener.focus();
  };

  useLayoutEffect(() => {
    const element = box.current;
    const origin = element?.offsetParent?.getBoundingClientRect();
    if (!element || !origin) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = Math.max(gap, Math.min(area.left, window.innerWidth - width - gap));
    const fitsBelow = area.bottom + height + gap <= window.innerHeight || area.top < height + gap;
    element.style.left = `${left - origin.left}px`;
    element.style.top = `${(fitsBelow ? area.bottom : area.top - height) - origin.top}px`;
  }, [area]);

  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) onClose();
    };
    const events = ['pointerdown', 'scroll'] as const;
    for (const event of events) document.addEventListener(event, leave, { capture: true, passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, leave, { capture: true });
    };
  }, [onClose]);

  const choices = actions.map(({ key, title, isDisabled = false, onClick }) => ({ key, label: title, isDisabled, onSelect: () => onClick(row) }));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps the browser's own menu away and is no control itself
    <div ref={box} className="crud-row-menu" onContextMenu={(event) => event.preventDefault()}>
      <MenuList label={label} choices={choices} onDone={close} onLeave={onClose} />
    </div>
  );
}
