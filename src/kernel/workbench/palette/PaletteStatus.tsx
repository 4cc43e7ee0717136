import { useTranslation } from '../../platform/i18n/use-translation.ts';
import styles from './Palette.module.css';
import type { PaletteEntry } from './sections.ts';
import type { RecordSearch } from './use-records.ts';

interface PaletteStatusProps {
  readonly query: string;
  readonly count: number;
  /** Entry whose actions are shown. */
  readonly subject: PaletteEntry | undefined;
  readonly search: Omit<RecordSearch, 'groups'>;
}

/** Announces the number of results to screen readers, and shows a message where there are none or the search for records failed. */
export function PaletteStatus({ query, count, subject, search: { isSearching, hasFailed, retry } }: PaletteStatusProps) {
  const t = useTranslation();
  const isEmpty = count === 0 && !isSearching && !hasFailed;
  return (
    <>
      <div role="status" className={isEmpty ? styles.status : 'visually-hidden'}>
        {isEmpty && <p className={styles.none}>{t('palette.none', { typed: query })}</p>}
        {isEmpty && <p className={styles.hint}>{t('palette.noneHint')}</p>}
        {subject && t('palette.actionsOf', { title: subject.title, count })}
        {!subject && isSearching && t('palette.searching')}
        {!subject && !isSearching && count > 0 && query !== '' && t('palette.found', { count })}
      </div>
      {hasFailed && !subject && (
        <p className={styles.failed} role="alert">
          {t('palette.failed')}
          <button type="button" className={styles.retry} onClick={retry}>
            {t('palette.retry')}
          </button>
        </p>
      )}
    </>
  );
}

const move = ['palette.keysMove', ['↑', '↓']] as const;
const open = ['palette.keysOpen', ['Enter']] as const;
const openInWindow = ['palette.keysWindow', ['Ctrl', 'Enter']] as const;
const showActions = ['palette.keysActions', ['→']] as const;
const goBack = ['palette.keysBack', ['←']] as const;

/** Lists the keyboard shortcuts of the current line on devices with a keyboard. */
export function PaletteKeys({ hasActions, isBack }: { readonly hasActions: boolean; readonly isBack: boolean }) {
  const t = useTranslation();
  const keys = [move, open, ...(isBack ? [goBack] : []), ...(hasActions ? [showActions] : []), openInWindow];
  return (
    <dl className={styles.keys}>
      {keys.map(([name, parts]) => (
        <div key={name}>
          <dt>
            {parts.map((part) => (
              <kbd key={part}>{part}</kbd>
            ))}
          </dt>
          <dd>{t(name)}</dd>
        </div>
      ))}
    </dl>
  );
}
