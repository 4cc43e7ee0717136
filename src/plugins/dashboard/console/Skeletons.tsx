import styles from './dashboard.module.css';

/** Placeholders for content that is loading. */
export function Skeletons({ count, className = '' }: { readonly count: number; readonly className?: string | undefined }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders differ only by their index
    <li key={index} aria-hidden="true">
      <div className={`${className} ${styles.space}`} />
    </li>
  ));
}
