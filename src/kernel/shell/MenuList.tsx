import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './MenuButton.module.css';

/** One line of a menu. With `isChosen` it is one of several to choose from. */
export interface MenuChoice {
  readonly key: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  /** A line parts it from what stands above. */
  readonly startsGroup?: boolean;
  /** Keys that do the same where the menu is not open. */
  readonly shortcut?: string;
  readonly onChoose: () => void;
}

interface MenuListProps {
  readonly id?: string;
  /** What the menu is called by those who do not see it. */
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  /** Something was chosen or Escape pressed: the focus belongs where the menu was opened. */
  readonly onDone: () => void;
  /** The focus moves on. */
  readonly onLeave: () => void;
}

/** The choices of an opened menu: it takes the focus, arrows move, Escape closes. */
export function MenuList({ id, label, choices, onDone, onLeave }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    (menu.current?.querySelector<HTMLElement>('[aria-checked=true]') ?? itemsOf(menu.current)[0])?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone();
    else if (event.key === 'Tab') onLeave();
    else if (!step(event.key, menu.current)) return;
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
  const { label, icon, isChosen, isDisabled = false, shortcut, onChoose } = choice;
  const choose = () => {
    onDone();
    onChoose();
  };
  const shared = {
    type: 'button',
    tabIndex: -1,
    className: styles.item,
    disabled: isDisabled,
    onClick: choose,
    'aria-keyshortcuts': shortcut && keysOf(shortcut),
  } as const;
  const content = (
    <>
      {icon && <Icon name={icon} size={16} />}
      <span className={styles.text}>{label}</span>
      {shortcut && (
        <span className={styles.shortcut} aria-hidden="true">
          {shortcut}
        </span>
      )}
      {isChosen && <Icon name="check" size={16} />}
    </>
  );
  if (isChosen === undefined)
    return (
      <button {...shared} role="menuitem">
        {content}
      </button>
    );
  return (
    <button {...shared} role="menuitemcheckbox" aria-checked={isChosen}>
      {content}
    </button>
  );
}

/** As `aria-keyshortcuts` writes them: arrows by name. */
const keysOf = (shortcut: string) => shortcut.replace('←', 'ArrowLeft').replace('→', 'ArrowRight');

const itemsOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];

/** Moves the focus as the key says; false when the key says nothing. */
function step(key: string, menu: HTMLElement | null): boolean {
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[key];
  if (target === undefined) return false;
  items[target]?.focus();
  return true;
}
