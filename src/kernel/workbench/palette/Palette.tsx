import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { openAddress } from '../../platform/browser/open-address.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { nextIndex } from '../../ui/menus/flyout.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { useMenuTitles } from '../routes/route-table.tsx';
import styles from './Palette.module.css';
import { PaletteList } from './PaletteList.tsx';
import { PaletteView } from './palette-view.ts';
import type { PaletteEntry, PaletteGroup } from './sections.ts';
import { type Section, sectionsOf, withoutRepeats } from './sections.ts';
import { useActions } from './use-actions.tsx';
import { useNavigationTargets } from './use-navigation-targets.tsx';
import { useRecords } from './use-records.ts';
import { useSettings } from './use-settings.tsx';

/** Finds pages, actions, settings and records by typing. The field has the focus; keys move through the list below it. */
export default function Palette() {
  const t = useTranslation();
  const view = useService(PaletteView);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { sections, isSearching, failed } = usePaletteSections(typed);
  const entries = sections.flatMap(({ hits }) => hits.map(({ entry }) => entry));
  const activeIndex = Math.min(at, entries.length - 1);

  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);

  const close = () => dialog.current?.close();
  // The dialog restores the focus when it closes, so the selected action runs after that.
  const select = (entry: PaletteEntry | undefined, { ctrlKey, metaKey }: Pick<MouseEvent, 'ctrlKey' | 'metaKey'>) => {
    if (!entry) return;
    close();
    view.close();
    if ((ctrlKey || metaKey) && entry.location !== undefined) openAddress(entry.location);
    else entry.choose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = entries.length === 0 ? undefined : nextIndex(event.key, activeIndex, entries.length);
    if (next !== undefined) setAt(next);
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
      onClose={() => view.close('palette')}
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
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles.close} aria-label={t('palette.keysClose')} onClick={close}>
            Esc
          </button>
        </div>
        <PaletteList id={id} sections={sections} index={activeIndex} onHighlight={setAt} onChoose={select} />
        <ResultStatus typed={typed.trim()} count={entries.length} isSearching={isSearching} failed={failed} />
        <PaletteKeys />
      </div>
    </dialog>
  );
}

interface ResultStatusProps {
  readonly typed: string;
  readonly count: number;
  readonly isSearching: boolean;
  readonly failed: readonly string[];
}

/** Announces the number of results to screen readers, and shows a message where there are none. */
function ResultStatus({ typed, count, isSearching, failed }: ResultStatusProps) {
  const t = useTranslation();
  const isEmpty = count === 0 && !isSearching;
  return (
    <>
      <div role="status" className={isEmpty || isSearching ? styles.status : 'visually-hidden'}>
        {isSearching && <p className={styles.searching}>{t('palette.searching')}</p>}
        {isEmpty && <p className={styles.none}>{t('palette.none', { typed })}</p>}
        {isEmpty && <p className={styles.hint}>{t('palette.noneHint')}</p>}
        {!isSearching && count > 0 && typed !== '' && t('palette.found', { count })}
      </div>
      {failed.length > 0 && (
        <p className={styles.failed} role="alert">
          {t('palette.failed', { names: failed.join(t('shell.listSeparator')) })}
        </p>
      )}
    </>
  );
}

const keys = [
  ['palette.keysMove', ['↑', '↓']],
  ['palette.keysOpen', ['Enter']],
  ['palette.keysWindow', ['Ctrl', 'Enter']],
] as const;

/** Lists the keyboard shortcuts on devices with a keyboard. */
function PaletteKeys() {
  const t = useTranslation();
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

/** Entries that match the typed text, and the state of the search for records. */
interface PaletteSections {
  readonly sections: readonly Section[];
  readonly isSearching: boolean;
  /** Titles of the record searches that failed. */
  readonly failed: readonly string[];
}

/** Returns the entries of the palette. Without text the recently visited pages come first. */
function usePaletteSections(typed: string): PaletteSections {
  const { recent, tabs, pages } = useNavigationTargets();
  const actions = useActions();
  const settings = useSettings();
  const { groups, isSearching, failed } = useRecordGroups(typed);
  const targets = typed.trim() === '' ? [recent, tabs, pages] : [tabs, pages];
  return { sections: sectionsOf([...withoutRepeats(targets), actions, settings, ...groups], typed), isSearching, failed };
}

function useRecordGroups(typed: string) {
  const t = useTranslation();
  const navigate = useNavigate();
  const titleOf = useMenuTitles();
  const { answers, isSearching } = useRecords(typed);
  const nameOf = ({ search: { menu } }: (typeof answers)[number]) => t(titleOf({ code: menu.code, name: menu.title[0] }));
  const groups = answers.map(
    (answer): PaletteGroup => ({
      key: `records:${answer.search.menu.code}`,
      title: nameOf(answer),
      isFound: true,
      entries: (answer.found ?? []).map(({ key, title, detail, location }) => ({
        key: `record:${answer.search.menu.code}:${key}`,
        title,
        detail,
        icon: <MenuIcon name={answer.search.menu.icon ?? ''} />,
        location,
        choose: () => navigate(location),
      })),
    }),
  );
  const failed = answers.filter(({ hasFailed }) => hasFailed).map(nameOf);
  return { groups, isSearching, failed };
}
