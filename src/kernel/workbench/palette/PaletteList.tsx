import { type MouseEvent, useEffect } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './Palette.module.css';
import type { Hit, PaletteEntry, Section } from './sections.ts';

interface PaletteListProps {
  /** Id of the list; the ids of its lines are derived from it. */
  readonly id: string;
  readonly sections: readonly Section[];
  /** Index of the line that Enter selects. */
  readonly index: number;
  readonly onHighlight: (index: number) => void;
  readonly onChoose: (entry: PaletteEntry, event: MouseEvent) => void;
}

/** Renders the results in sections; the field above has the focus. */
export function PaletteList({ id, sections, index, onHighlight, onChoose }: PaletteListProps) {
  const t = useTranslation();
  const starts = sections.map((_, at) => sections.slice(0, at).reduce((sum, { hits }) => sum + hits.length, 0));

  useEffect(() => {
    document.getElementById(`${id}-${index}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, index]);

  return (
    <div id={id} role="listbox" aria-label={t('palette.title')} className={styles.list} hidden={sections.length === 0}>
      {sections.map(({ key, title, hits }, section) => (
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
                onChoose={(event) => onChoose(hit.entry, event)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface PaletteLineProps {
  readonly id: string;
  readonly hit: Hit;
  readonly isSelected: boolean;
  readonly onPoint: () => void;
  readonly onChoose: (event: MouseEvent) => void;
}

function PaletteLine({ id, hit: { entry, range }, isSelected, onPoint, onChoose }: PaletteLineProps) {
  const t = useTranslation();
  const { title, detail, icon, isOn = false } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
    <div id={id} role="option" tabIndex={-1} aria-selected={isSelected} className={styles.line} onPointerMove={onPoint} onClick={onChoose}>
      <span className={styles.icon}>{icon}</span>
      <span className={styles.title}>{range ? <Marked title={title} from={range[0]} to={range[1]} /> : title}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {isOn && (
        <span className={styles.isOn}>
          <Icon name="check" size={14} />
          {t('palette.isOn')}
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
