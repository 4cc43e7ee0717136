import { useText } from '../platform/i18n/use-words.ts';
import { BrandMark } from '../ui/primitives/BrandMark.tsx';
import styles from './Splash.module.css';

/** Shown while the console loads; it appears only after a short delay. */
export function Splash() {
  const text = useText();
  return (
    <div className={styles.splash} role="status">
      <BrandMark size={48} />
      <span className="visually-hidden">{text('shell.loading')}</span>
    </div>
  );
}
