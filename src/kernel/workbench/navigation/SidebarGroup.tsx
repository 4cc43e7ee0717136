import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { listenOutside, moveFocus } from '../../ui/menus/flyout.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { useAddress } from '../routes/use-address.ts';
import styles from './Sidebar.module.css';

interface FlyoutPosition {
  readonly top: number;
  readonly left: number;
}

const flyoutWidth = 220;
const flyoutMargin = 8;

/** Opens a list beside or below its button: it closes on Escape, on a click elsewhere, when the focus leaves and when a page is chosen; arrow keys move in it. */
function useFlyout(side: 'beside' | 'below' | undefined) {
  const root = useRef<HTMLLIElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useAddress();
  const [opened, setOpened] = useState<FlyoutPosition & { readonly at: string }>();
  const isShown = side !== undefined && opened?.at === key;

  useEffect(() => {
    if (!isShown) return;
    const close = () => setOpened(undefined);
    const stopListening = listenOutside(root.current, ['pointerdown', 'focusin'], close);
    window.addEventListener('resize', close);
    return () => {
      stopListening();
      window.removeEventListener('resize', close);
    };
  }, [isShown]);

  const toggle = () => setOpened(isShown || !side ? undefined : { ...positionOf(button.current, side), at: key });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!side) return;
    if (!isShown && event.key === (side === 'below' ? 'ArrowDown' : 'ArrowRight')) toggle();
    else if (!isShown) return;
    else if (event.key === 'Escape' || (event.key === 'ArrowLeft' && side === 'beside')) {
      setOpened(undefined);
      button.current?.focus();
    } else if (!moveFocus(event.key, itemsOf(root.current))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const position = opened && { top: opened.top, left: opened.left };
  return { root, button, position, isShown, toggle, onKeyDown };
}

function positionOf(button: HTMLElement | null, side: 'beside' | 'below'): FlyoutPosition {
  const box = button?.getBoundingClientRect() ?? { top: 0, bottom: 0, left: 0, right: 0 };
  if (side === 'below') return { top: box.bottom + 6, left: Math.max(flyoutMargin, Math.min(box.left, window.innerWidth - flyoutWidth - flyoutMargin)) };
  return { top: Math.max(flyoutMargin, Math.min(box.top, window.innerHeight - 320)), left: box.right + flyoutMargin };
}

/** Lists the links and buttons of a flyout, without those of collapsed groups. */
const itemsOf = (root: HTMLElement | null) => [...(root?.querySelectorAll<HTMLElement>('ul :is(a, button)') ?? [])].filter((item) => !item.closest('[hidden]'));

/** Position in which a group opens: in the list under its button, or over the page beside or below it. */
export type GroupPlacement = 'inPlace' | 'beside' | 'below';

interface SidebarGroupProps {
  readonly icon: string;
  readonly title: string;
  readonly depth: number;
  readonly isOpen?: boolean;
  /** True when the current page is in the group. */
  readonly isWithin: boolean;
  readonly opens: GroupPlacement;
  readonly onToggle?: () => void;
  readonly children: ReactNode;
}

/** Renders a group of the menu: a button that expands and collapses its list. */
export function SidebarGroup({ icon, title, depth, isOpen = false, isWithin, opens, onToggle, children }: SidebarGroupProps) {
  const id = useId();
  const isFlyout = opens !== 'inPlace';
  const flyout = useFlyout(isFlyout ? opens : undefined);
  const isShown = isFlyout ? flyout.isShown : isOpen;
  return (
    <li ref={flyout.root} onKeyDown={flyout.onKeyDown} className={styles.group} data-within={isWithin}>
      <button
        ref={flyout.button}
        type="button"
        className={styles.link}
        data-depth={depth}
        title={title}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={isFlyout ? flyout.toggle : onToggle}
      >
        <span className={styles.icon}>{depth < 2 && <MenuIcon name={icon} />}</span>
        <span className={styles.label}>{title}</span>
        <span className={styles.chevron}>
          <Icon name="chevronDown" size={14} />
        </span>
      </button>
      <ul id={id} className={isFlyout ? styles.flyout : styles.sublist} hidden={!isShown} style={isFlyout ? flyout.position : undefined}>
        {opens === 'beside' && (
          <li className={styles.flyoutTitle} aria-hidden="true">
            {title}
          </li>
        )}
        {children}
      </ul>
    </li>
  );
}
