import styles from './CountBadge.module.css';

const maxCount = 99;

/** Renders a small number on the corner of an icon, `99+` beyond 99 and nothing for 0. Hidden from screen readers; the label of the surrounding button has to contain the number. */
export function CountBadge({ count }: { readonly count: number }) {
  if (count <= 0) return null;
  return (
    <span className={styles.badge} aria-hidden="true">
      {count > maxCount ? `${maxCount}+` : count}
    </span>
  );
}
