import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './IconButton.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'aria-label' | 'title'> {
  /** Accessible name, also shown as a tooltip. */
  readonly label: string;
  /** Short name beside the icon where the window is wide; part of `label`. */
  readonly text?: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Renders a button with an icon and, where there is room for it, a short name. */
export function IconButton({ label, text, children, className, ...button }: IconButtonProps) {
  return (
    <button {...button} type="button" className={[styles.button, text && styles.named, className].filter(Boolean).join(' ')} aria-label={label} title={label}>
      <span className={styles.icon}>{children}</span>
      {text && <span className={styles.name}>{text}</span>}
    </button>
  );
}
