import { Button } from '@arco-design/web-react';
import { IconClose } from '@arco-design/web-react/icon';
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { type ActiveFilter, activeFilters } from './active-filters.ts';
import { FilterText } from './FilterText.tsx';
import './filters.css';

export interface ActiveFiltersProps {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
  readonly format: FormatField;
  /** Receives the active filters as text. */
  readonly onDescribe?: ((text: string) => void) | undefined;
}

/** Lists the active filters, each with a button that removes it. */
export default function ActiveFilters({ store, fields, format, onDescribe }: ActiveFiltersProps) {
  const t = useTranslation();
  const active = activeFilters(
    useStore(store, (state) => state.query),
    fields,
  );
  const labels = useRef(new Map<string, string>());
  const describe = () => onDescribe?.(active.map(({ key }) => labels.current.get(key) ?? '').join(' · '));
  const onLabel = (key: string, label: string) => {
    labels.current.set(key, label);
    describe();
  };
  useEffect(describe);
  if (active.length === 0) return null;
  return (
    <ul className="crud-chips" aria-label={t('table.activeFilters')}>
      {active.map((filter) => (
        <Chip key={filter.key} filter={filter} format={format} onLabel={onLabel} onRemove={() => filter.remove(store)} />
      ))}
      <li>
        <Button type="text" size="mini" onClick={() => store.clearFilters()}>
          {t('table.clearAll')}
        </Button>
      </li>
    </ul>
  );
}

interface ChipProps {
  readonly filter: ActiveFilter;
  readonly format: FormatField;
  readonly onLabel: (key: string, label: string) => void;
  readonly onRemove: () => void;
}

function Chip({ filter, format, onLabel, onRemove }: ChipProps) {
  const t = useTranslation();
  const textRef = useRef<HTMLSpanElement>(null);
  const [label, setLabel] = useState('');
  const read = () => {
    const text = textRef.current?.textContent ?? '';
    setLabel(text);
    onLabel(filter.key, text);
  };
  return (
    <li className="crud-chip">
      <span ref={textRef} title={label}>
        <FilterText parts={filter.parts} join={filter.join} format={format} onChange={read} />
      </span>
      <button type="button" aria-label={t('table.removeFilter', { name: label })} onClick={onRemove}>
        <IconClose />
      </button>
    </li>
  );
}
