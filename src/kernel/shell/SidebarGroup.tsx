import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { MenuItem } from '#shared/menus';
import { Icon } from './Icon.tsx';
import { MenuIcon } from './MenuIcon.tsx';
import styles from './Sidebar.module.css';

interface SidebarGroupProps {
  readonly item: MenuItem;
  readonly title: string;
  readonly depth: number;
  readonly isOpen: boolean;
  /** The page on screen is in it. */
  readonly isWithin: boolean;
  /** Opens beside the bar instead of in place. */
  readonly isFlyout: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A group of the menu: a button that shows and hides the list below it. */
export function SidebarGroup({ item, title, depth, isOpen, isWithin, isFlyout, onToggle, children }: SidebarGroupProps) {
  const id = useId();
  const flyout = useFlyout(isFlyout);
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
        <span className={styles.icon}>{depth < 2 && <MenuIcon name={item.source} />}</span>
        <span className={styles.label}>{title}</span>
        <span className={styles.chevron}>
          <Icon name="chevronDown" size={14} />
        </span>
      </button>
      <ul id={id} className={isFlyout ? styles.flyout : styles.sublist} hidden={!isShown} style={isFlyout ? { top: flyout.top } : undefined}>
        {isFlyout && (
          <li className={styles.flyoutTitle} aria-hidden="true">
            {title}
          </li>
        )}
        {children}
      </ul>
    </li>
  );
}

/** A list beside the collapsed bar: it closes on Escape, on a click elsewhere and when a page of it was chosen. */
function useFlyout(isFlyout: boolean) {
  const root = useRef<HTMLLIElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useLocation();
  const [opened, setOpened] = useState<{ readonly top: number; readonly at: string }>();
  const isShown = isFlyout && opened?.at === key;

  useEffect(() => {
    if (!isShown) return;
    const closeOutside = (event: Event) => root.current?.contains(event.target as Node) || setOpened(undefined);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isShown]);

  const topOfButton = () => Math.max(8, Math.min(button.current?.getBoundingClientRect().top ?? 0, window.innerHeight - 320));
  const toggle = () => setOpened(isShown ? undefined : { top: topOfButton(), at: key });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isShown) return;
    setOpened(undefined);
    button.current?.focus();
  };
  return { root, button, top: opened?.top, isShown, toggle, onKeyDown };
}
