import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { listenOutside } from './flyout.ts';
import styles from './MenuButton.module.css';
import { type MenuChoice, MenuList } from './MenuList.tsx';

export type { MenuChoice } from './MenuList.tsx';

interface MenuButtonProps {
  /** Accessible name of the button, also its tooltip. */
  readonly label: string;
  readonly choices: readonly MenuChoice[];
  readonly children: ReactNode;
  /** Content above the entries. */
  readonly heading?: ReactNode;
}

/** Renders a button that opens a menu: arrow keys move, Escape closes and restores the focus, a click elsewhere closes. */
export function MenuButton({ label, choices, children, heading }: MenuButtonProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const root = useRef<HTMLDivElement>(null);

  useEffect(() => (isOpen ? listenOutside(root.current, ['pointerdown'], () => setIsOpen(false)) : undefined), [isOpen]);

  const close = () => {
    setIsOpen(false);
    button.current?.focus();
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
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => event.key === 'ArrowDown' && !isOpen && setIsOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <div className={styles.popup}>
          {heading}
          <MenuList id={id} label={label} choices={choices} onDone={close} onLeave={() => setIsOpen(false)} />
        </div>
      )}
    </div>
  );
}
