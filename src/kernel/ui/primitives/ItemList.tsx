import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './ItemList.module.css';

interface ItemProps {
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly note: ReactNode;
  /** Button at the end of the row. */
  readonly children?: ReactNode;
}

/** Lists items that have an icon, a title, a note and an action. */
export const ItemList = ({ children }: { readonly children: ReactNode }) => <ul className={styles.rows}>{children}</ul>;

/** One row of an `ItemList`. */
export const Item = ({ icon, title, note, children }: ItemProps) => (
  <li className={styles.row}>
    <span className={styles.icon}>{icon}</span>
    <span className={styles.text}>
      <strong>{title}</strong>
      <span>{note}</span>
    </span>
    {children}
  </li>
);

interface ActionButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Style of the button; outlined by default. */
  readonly variant?: 'danger' | 'main' | 'quiet';
}

/** Renders the button at the end of an `Item`. */
export const ActionButton = ({ variant, ...button }: ActionButtonProps) => (
  <button type="button" {...button} className={styles.action} {...(variant ? { [`data-${variant}`]: true } : {})} />
);
