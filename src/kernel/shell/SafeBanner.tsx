import { useText } from '../i18n/use-words.ts';
import { ordinaryAddress, type SafeCause } from '../plugin-host/safe-mode.ts';
import styles from '../preview/PreviewBanner.module.css';
import { Icon } from './Icon.tsx';

/** Says that core plugins alone run, and how it ends. */
export default function SafeBanner({ cause }: { readonly cause: SafeCause }) {
  const text = useText();
  return (
    <section className={styles.banner} aria-label={text('plugins.safeTitle')}>
      <Icon name="lock" size={16} />
      <p role="status">
        <strong>{text('plugins.safeTitle')}</strong> <span>{text(cause === 'server' ? 'plugins.safeServer' : 'plugins.safeAddress')}</span>
      </p>
      {cause === 'address' && (
        <button type="button" onClick={() => window.location.assign(ordinaryAddress(window.location))}>
          {text('plugins.safeLeave')}
        </button>
      )}
    </section>
  );
}
