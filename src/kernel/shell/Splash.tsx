import { useText } from '../i18n/use-words.ts';
import { BrandMark } from './BrandMark.tsx';
import styles from './Splash.module.css';

/** Stands on screen while the console is fetched; shows itself only when that takes a moment. */
export function Splash() {
  const text = useText();
  return (
    <div className={styles.splash} role="status">
      <BrandMark size={48} />
      <span className="visually-hidden">{text('shell.loading')}</span>
    </div>
  );
}
