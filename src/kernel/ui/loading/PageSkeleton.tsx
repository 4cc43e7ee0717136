import { useTranslation } from '../../platform/i18n/use-translation.ts';
import styles from './PageSkeleton.module.css';

/** Placeholder of a page while it loads. */
export function PageSkeleton() {
  const t = useTranslation();
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{t('shell.loading')}</span>
      <div className={styles.bar} />
      <div className={styles.block} />
    </div>
  );
}
