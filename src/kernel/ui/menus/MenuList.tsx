import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react';
import { Icon, type IconName } from '../primitives/Icon.tsx';
import { moveFocus } from './flyout.ts';
import styles from './MenuButton.module.css';

/** One entry of a menu. With `isSelected` it is one of several options. */
export interface MenuChoice {
  readonly key: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isSelected?: boolean;
  readonly isDisabled?: boolean;
  /** True when a divider separates the entry from those above. */
  readonly startsGroup?: boolean;
  /** Keyboard shortcut of the same action outside the menu. */
  readonly shortcut?: string;
  readonly onSelect: () => void;
}

interface MenuListProps {
  readonly id?: string;
  /** Accessible name of the menu. */
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  /** Called after a selection or Escape; the focus returns to the opener. */
  readonly onDone: () => void;
  /** Called on Tab, before the focus moves on. */
  readonly onLeave: () => void;
}

/** Renders the entries of an opened menu: it takes the focus, arrow keys move, Escape closes. */
export function MenuList({ id, label, choices, onDone, onLeave }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    (menu.current?.querySelector<HTMLElement>('[aria-checked=true]') ?? itemsOf(menu.current)[0])?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone();
    else if (event.key === 'Tab') onLeave();
    else if (!moveFocus(event.key, itemsOf(menu.current))) return;
    if (event.key !== 'Tab') event.preventDefault();
  };

  return (
    <div ref={menu} id={id} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {choices.map((choice) => (
        <Fragment key={choice.key}>
          {choice.startsGroup && <hr className={styles.group} />}
          <MenuLine choice={choice} onDone={onDone} />
        </Fragment>
      ))}
    </div>
  );
}

function MenuLine({ choice, onDone }: { readonly choice: MenuChoice; readonly onDone: () => void }) {
  const { label, icon, isSelected, isDisabled = false, shortcut, onSelect } = choice;
  const select = () => {
    onDone();
    onSelect();
  };
  const role = isSelected === undefined ? { role: 'menuitem' } : { role: 'menuitemcheckbox', 'aria-checked': isSelected };
  return (
    <button
      {...role}
      type="button"
      tabIndex={-1}
      className={styles.item}
      disabled={isDisabled}
      aria-keyshortcuts={shortcut && keysOf(shortcut)}
      onClick={select}
    >
      {icon && <Icon name={icon} size={16} />}
      <span className={styles.text}>{label}</span>
      {shortcut && (
        <span className={styles.shortcut} aria-hidden="true">
          {shortcut}
        </span>
      )}
      {isSelected && <Icon name="check" size={16} />}
    </button>
  );
}

/** Formats the keys for `aria-keyshortcuts`, which writes arrows by name. */
const keysOf = (shortcut: string) => shortcut.replace('←', 'ArrowLeft').replace('→', 'ArrowRight');

const itemsOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
