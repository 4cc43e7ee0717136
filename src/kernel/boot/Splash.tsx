import { useTranslation } from '../platform/i18n/use-translation.ts';
import { BrandMark } from '../ui/primitives/BrandMark.tsx';
import styles from './Splash.module.css';

/** Shown while the console loads; it appears only after a short delay. */
export function Splash() {
  const t = useTranslation();
  return (
    <div className={styles.splash} role="status">
      <BrandMark size={48} />
      <span className="visually-hidden">{t('shell.loading')}</span>
    </div>
  );
}
