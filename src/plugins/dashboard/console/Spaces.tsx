import styles from './dashboard.module.css';

/** Room for what is on its way. */
export function Spaces({ count, className = '' }: { readonly count: number; readonly className?: string | undefined }) {
  return Array.from({ length: count }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spaces have nothing but their place
    <li key={place} aria-hidden="true">
      <div className={`${className} ${styles.space}`} />
    </li>
  ));
}
