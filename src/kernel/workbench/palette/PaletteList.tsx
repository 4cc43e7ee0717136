import { type MouseEvent, useEffect } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './Palette.module.css';
import type { Hit, PaletteEntry, PaletteSection } from './sections.ts';

interface PaletteListProps {
  /** Id of the list; the ids of its lines are derived from it. */
  readonly id: string;
  readonly sections: readonly PaletteSection[];
  /** Index of the line that Enter selects. */
  readonly index: number;
  /** True while further records may be found. */
  readonly isSearching: boolean;
  readonly onHighlight: (index: number) => void;
  readonly onSelect: (entry: PaletteEntry, event: MouseEvent) => void;
  readonly onShowActions: (index: number) => void;
}

/** Renders the results in sections; the field above has the focus. */
export function PaletteList({ id, sections, index, isSearching, onHighlight, onSelect, onShowActions }: PaletteListProps) {
  const t = useTranslation();
  const starts = sections.map((_, at) => sections.slice(0, at).reduce((sum, { hits }) => sum + hits.length, 0));

  useEffect(() => {
    document.getElementById(`${id}-${index}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, index]);

  return (
    <div id={id} role="listbox" aria-label={t('palette.title')} className={styles.list} aria-busy={isSearching} hidden={sections.length === 0 && !isSearching}>
      {sections.map(({ key, title, hits, note }, section) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields.
        <div key={key} role="group" aria-labelledby={`${id}-${key}`}>
          <div id={`${id}-${key}`} role="presentation" className={styles.heading}>
            {title}
          </div>
          {hits.map((hit, line) => {
            const position = (starts[section] ?? 0) + line;
            return (
              <PaletteLine
                key={hit.entry.key}
                id={`${id}-${position}`}
                hit={hit}
                isSelected={position === index}
                onPoint={() => position !== index && onHighlight(position)}
                onSelect={(event) => onSelect(hit.entry, event)}
                onShowActions={() => onShowActions(position)}
              />
            );
          })}
          {note && (
            <div role="presentation" className={styles.note}>
              {note}
            </div>
          )}
        </div>
      ))}
      {isSearching && <PendingRecords />}
    </div>
  );
}

/** Takes the room of the records to come. */
const PendingRecords = () => (
  <div aria-hidden="true" className={styles.pending}>
    <span />
    <span />
  </div>
);

interface PaletteLineProps {
  readonly id: string;
  readonly hit: Hit;
  readonly isSelected: boolean;
  readonly onPoint: () => void;
  readonly onSelect: (event: MouseEvent) => void;
  readonly onShowActions: () => void;
}

function PaletteLine({ id, hit: { entry, range }, isSelected, onPoint, onSelect, onShowActions }: PaletteLineProps) {
  const t = useTranslation();
  const { title, detail, icon, isOn = false, actions } = entry;
  const openActions = (event: MouseEvent) => {
    event.stopPropagation();
    onShowActions();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
    <div id={id} role="option" tabIndex={-1} aria-selected={isSelected} className={styles.line} onPointerMove={onPoint} onClick={onSelect}>
      <span className={styles.icon}>{icon}</span>
      <span className={styles.title}>{range ? <Marked title={title} from={range[0]} to={range[1]} /> : title}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {isOn && (
        <span className={styles.isOn}>
          <Icon name="check" size={14} />
          {t('palette.current')}
        </span>
      )}
      {actions && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
        // biome-ignore lint/a11y/noStaticElementInteractions: an option contains no controls; the arrow key does the same.
        <span className={styles.more} title={t('palette.showActions')} onClick={openActions}>
          <Icon name="chevronRight" size={16} />
        </span>
      )}
    </div>
  );
}

function Marked({ title, from, to }: { readonly title: string; readonly from: number; readonly to: number }) {
  return (
    <>
      {title.slice(0, from)}
      <mark>{title.slice(from, to)}</mark>
      {title.slice(to)}
    </>
  );
}
