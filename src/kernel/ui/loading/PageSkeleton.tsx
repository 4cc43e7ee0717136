import { useText } from '../../platform/i18n/use-words.ts';
import styles from './PageSkeleton.module.css';

/** Placeholder of a page while it loads. */
export function PageSkeleton() {
  const text = useText();
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{text('shell.loading')}</span>
      <div className={styles.bar} />
      <div className={styles.block} />
    </div>
  );
}
