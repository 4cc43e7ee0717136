import type { SafeCause } from '../../host/plugin-host/safe-mode.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from '../preview/PreviewBanner.module.css';
import { safeModeMessages } from './safe-messages.ts';

/** Shows that only core plugins are running, and how to leave safe mode. */
export default function SafeBanner({ cause }: { readonly cause: SafeCause }) {
  const t = useTranslation();
  return (
    <section className={styles.banner} aria-label={t(safeModeMessages.title)}>
      <Icon name="lock" size={16} />
      <p role="status">
        <strong>{t(safeModeMessages.title)}</strong> <span>{t(safeModeMessages[cause])}</span>
      </p>
      {cause === 'address' && (
        <button type="button" onClick={() => window.location.assign(addressWithoutSafeMode(window.location))}>
          {t(safeModeMessages.leave)}
        </button>
      )}
    </section>
  );
}

/** Returns the same address without the parameter of safe mode. */
export function addressWithoutSafeMode({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search);
  query.delete('safe');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
