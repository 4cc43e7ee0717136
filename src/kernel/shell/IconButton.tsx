import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './IconButton.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'aria-label' | 'title'> {
  /** What it does: read out, and shown when the pointer rests on it. */
  readonly label: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that is a drawing. */
export function IconButton({ label, children, className, ...button }: IconButtonProps) {
  return (
    <button {...button} type="button" className={className ? `${styles.button} ${className}` : styles.button} aria-label={label} title={label}>
      {children}
    </button>
  );
}
