import { type ChangeEvent, type CompositionEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { withBase } from '../../platform/browser/base-path.ts';
import { openAddress } from '../../platform/browser/open-address.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { nextIndex } from '../../ui/menus/flyout.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { OpenOverlay } from '../state/open-overlay.ts';
import styles from './Palette.module.css';
import { PaletteList } from './PaletteList.tsx';
import { type PaletteEntry, type PaletteSection, sectionsOf, withoutRepeats } from './sections.ts';
import { useActions } from './use-actions.tsx';
import { useNavigationTargets } from './use-navigation-targets.tsx';
import { useRecordGroups } from './use-record-groups.tsx';
import type { RecordSearch } from './use-records.ts';
import { useSettings } from './use-settings.tsx';

/** An entry whose actions are shown, and its place among the results. */
interface PaletteSubject {
  readonly entry: PaletteEntry;
  readonly index: number;
}

/** Finds pages, actions, settings and records by typing. The field has the focus; keys move through the list below it. */
export default function Palette() {
  const t = useTranslation();
  const overlay = useService(OpenOverlay);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [highlighted, setHighlighted] = useState(0);
  const [subject, setSubject] = useState<PaletteSubject>();
  const { query, ...typing } = useTypedText(() => {
    setSubject(undefined);
    setHighlighted(0);
  });
  const { sections, search } = usePaletteSections(query, subject?.entry);
  const entries = sections.flatMap(({ hits }) => hits.map(({ entry }) => entry));
  const activeIndex = Math.min(highlighted, entries.length - 1);

  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);

  const close = () => dialog.current?.close();
  const showActions = (index: number) => {
    const entry = entries[index];
    if (!entry?.actions) return;
    setSubject({ entry, index });
    setHighlighted(0);
    field.current?.focus();
  };
  const goBack = () => {
    setSubject(undefined);
    setHighlighted(subject?.index ?? 0);
  };
  // The dialog restores the focus when it closes, so the selected action runs after that.
  const select = (entry: PaletteEntry | undefined, { ctrlKey, metaKey }: Pick<MouseEvent, 'ctrlKey' | 'metaKey'>) => {
    if (!entry) return;
    close();
    overlay.close();
    if ((ctrlKey || metaKey) && entry.location !== undefined) openAddress(withBase(entry.location));
    else entry.onSelect();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const next = entries.length === 0 ? undefined : nextIndex(event.key, activeIndex, entries.length);
    if (next !== undefined) setHighlighted(next);
    else if (subject && isBackKey(event)) goBack();
    else if (!subject && entries[activeIndex]?.actions && isForwardKey(event)) showActions(activeIndex);
    else if (event.key === 'Enter') select(entries[activeIndex], event);
    else if (event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey) close();
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the panel closes; on the keyboard Escape does.
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t('palette.title')}
      data-no-focus-lock="true"
      onClose={() => overlay.close('palette')}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className={styles.panel}>
        <div className={styles.head}>
          <Icon name="search" />
          <input
            ref={field}
            type="text"
            className={styles.field}
            role="combobox"
            aria-label={t('palette.field')}
            placeholder={t('palette.field')}
            aria-expanded="true"
            aria-haspopup="listbox"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={entries.length > 0 ? `${id}-${activeIndex}` : undefined}
            autoComplete="off"
            spellCheck={false}
            {...typing}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles.close} aria-label={t('palette.keysClose')} onClick={close}>
            Esc
          </button>
        </div>
        <PaletteList
          id={id}
          sections={sections}
          index={activeIndex}
          isSearching={search.isSearching && !subject}
          onHighlight={setHighlighted}
          onSelect={select}
          onShowActions={showActions}
        />
        <PaletteStatus query={query} count={entries.length} subject={subject?.entry} search={search} />
        <PaletteKeys hasActions={entries[activeIndex]?.actions !== undefined} showsBack={subject !== undefined} />
      </div>
    </dialog>
  );
}

const isForwardKey = ({ key, shiftKey, currentTarget: { selectionStart, value } }: KeyboardEvent<HTMLInputElement>) =>
  (key === 'Tab' && !shiftKey) || (key === 'ArrowRight' && selectionStart === value.length);

const isBackKey = ({ key, shiftKey }: KeyboardEvent) => key === 'ArrowLeft' || key === 'Escape' || (key === 'Tab' && shiftKey);

/** Returns the props of the field and the query, which leaves out an unfinished syllable of an input method. */
function useTypedText(onQuery: () => void) {
  const [value, setValue] = useState('');
  const [query, setQuery] = useState('');
  const search = (text: string) => {
    setQuery(text.trim());
    onQuery();
  };
  return {
    query,
    value,
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      setValue(target.value);
      if (!(nativeEvent as InputEvent).isComposing) search(target.value);
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => search(currentTarget.value),
  };
}

interface PaletteSections {
  readonly sections: readonly PaletteSection[];
  readonly search: Omit<RecordSearch, 'groups'>;
}

/** Returns the entries that match, or the actions of one of them. Without text the recently used ones come first. */
function usePaletteSections(query: string, subject: PaletteEntry | undefined): PaletteSections {
  const { recent, tabs, pages } = useNavigationTargets();
  const actions = useActions();
  const settings = useSettings();
  const { groups, ...search } = useRecordGroups(query);
  if (subject) return { sections: [{ key: 'subject', title: subject.title, hits: (subject.actions ?? []).map((entry) => ({ entry })) }], search };
  const all =
    query === '' ? [...withoutRepeats([...groups, recent, tabs, pages]), actions, settings] : [...withoutRepeats([tabs, pages]), ...groups, actions, settings];
  return { sections: sectionsOf(all, query), search };
}

interface PaletteStatusProps {
  readonly query: string;
  readonly count: number;
  /** Entry whose actions are shown. */
  readonly subject: PaletteEntry | undefined;
  readonly search: Omit<RecordSearch, 'groups'>;
}

/** Announces the number of results to screen readers, and shows a message where there are none or the search for records failed. */
function PaletteStatus({ query, count, subject, search: { isSearching, hasFailed, retry } }: PaletteStatusProps) {
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

/** Lists the keyboard shortcuts of the highlighted entry, on devices with a keyboard. */
function PaletteKeys({ hasActions, showsBack }: { readonly hasActions: boolean; readonly showsBack: boolean }) {
  const t = useTranslation();
  const keys = [move, open, ...(showsBack ? [goBack] : []), ...(hasActions ? [showActions] : []), openInWindow];
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
