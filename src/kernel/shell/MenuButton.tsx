import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './MenuButton.module.css';
import { type MenuChoice, MenuList } from './MenuList.tsx';

export type { MenuChoice } from './MenuList.tsx';

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

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: PointerEvent) => root.current?.contains(event.target as Node) || setOpen(false);
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = () => {
    setOpen(false);
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
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => event.key === 'ArrowDown' && !isOpen && setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <div className={styles.popup}>
          {heading}
          <MenuList id={id} label={label} choices={choices} onDone={close} onLeave={() => setOpen(false)} />
        </div>
      )}
    </div>
  );
}
