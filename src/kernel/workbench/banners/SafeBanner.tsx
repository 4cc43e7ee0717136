import type { SafeCause } from '../../host/plugin-host/safe-mode.ts';
import { useWords } from '../../platform/i18n/use-words.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from '../preview/PreviewBanner.module.css';
import { words } from './safe-words.ts';

/** Shows that only core plugins are running, and how to leave safe mode. */
export default function SafeBanner({ cause }: { readonly cause: SafeCause }) {
  const say = useWords();
  return (
    <section className={styles.banner} aria-label={say(words.title)}>
      <Icon name="lock" size={16} />
      <p role="status">
        <strong>{say(words.title)}</strong> <span>{say(words[cause])}</span>
      </p>
      {cause === 'address' && (
        <button type="button" onClick={() => window.location.assign(ordinaryAddress(window.location))}>
          {say(words.leave)}
        </button>
      )}
    </section>
  );
}

/** Returns the same address without the parameter of safe mode. */
export function ordinaryAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search);
  query.delete('safe');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
