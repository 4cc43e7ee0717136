import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './IconButton.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'aria-label' | 'title'> {
  /** Accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Renders a button with an icon only. */
export function IconButton({ label, children, className, ...button }: IconButtonProps) {
  return (
    <button {...button} type="button" className={className ? `${styles.button} ${className}` : styles.button} aria-label={label} title={label}>
      {children}
    </button>
  );
}
