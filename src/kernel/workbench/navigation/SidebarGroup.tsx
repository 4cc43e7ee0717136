import { type ReactNode, useId } from 'react';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './Sidebar.module.css';
import { useFlyout } from './use-flyout.ts';

/** Position in which a group opens: in the list under its button, or over the page beside or below it. */
export type GroupsOpen = 'inPlace' | 'beside' | 'below';

interface SidebarGroupProps {
  readonly icon: string;
  readonly title: string;
  readonly depth: number;
  readonly isOpen?: boolean;
  /** True when the current page is in the group. */
  readonly isWithin: boolean;
  readonly opens: GroupsOpen;
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
      <ul id={id} className={isFlyout ? styles.flyout : styles.sublist} hidden={!isShown} style={isFlyout ? flyout.corner : undefined}>
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
