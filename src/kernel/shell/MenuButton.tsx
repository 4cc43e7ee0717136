import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './MenuButton.module.css';

/** One line of a menu. With `isChosen` it is one of several to choose from. */
export interface MenuChoice {
  readonly key: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
}

interface MenuButtonProps {
  /** What the button says to a screen reader, and on hover. */
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  readonly children: ReactNode;
  /** Stands above the choices. */
  readonly heading?: ReactNode;
}

/** A button that opens a menu: arrows move, Escape closes and gives the focus back, a click elsewhere closes. */
export function MenuButton({ label, choices, children, heading }: MenuButtonProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    (menu.current?.querySelector<HTMLElement>('[aria-checked=true]') ?? itemsOf(menu.current)[0])?.focus();
    const closeOutside = (event: PointerEvent) => root.current?.contains(event.target as Node) || setOpen(false);
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (!step(event.key, menu.current)) return;
    if (event.key !== 'Tab') event.preventDefault();
  };

  return (
    <div ref={root} className={styles.root}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => event.key === 'ArrowDown' && !isOpen && setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <div className={styles.popup}>
          {heading}
          <div ref={menu} id={id} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
            {choices.map((choice) => (
              <MenuLine key={choice.key} choice={choice} onDone={close} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function MenuLine({ choice, onDone }: { readonly choice: MenuChoice; readonly onDone: () => void }) {
  const { label, icon, isChosen, isDisabled = false, onChoose } = choice;
  const choose = () => {
    onDone();
    onChoose();
  };
  const shared = { type: 'button', tabIndex: -1, className: styles.item, disabled: isDisabled, onClick: choose } as const;
  const content = (
    <>
      {icon && <Icon name={icon} size={16} />}
      <span className={styles.text}>{label}</span>
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
