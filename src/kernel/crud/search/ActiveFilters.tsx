import { Button } from '@arco-design/web-react';
import { IconClose } from '@arco-design/web-react/icon';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { type ActiveFilter, activeFilters, removeFilter, useFilterLabel } from './active-filters.ts';
import './filters.css';

interface ActiveFiltersProps {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
  readonly format: FormatField;
}

/** Lists the active filters, each with a button that removes it. */
export default function ActiveFilters({ store, fields, format }: ActiveFiltersProps) {
  const t = useTranslation();
  const active = activeFilters(
    useStore(store, (state) => state.query),
    fields,
  );
  if (active.length === 0) return null;
  return (
    <ul className="crud-chips" aria-label={t('table.activeFilters')}>
      {active.map((filter) => (
        <Chip key={filter.key} filter={filter} format={format} onRemove={() => removeFilter(store, filter)} />
      ))}
      <li>
        <Button type="text" size="mini" onClick={() => store.setQuery({ filters: {}, conditions: [] })}>
          {t('table.clearAll')}
        </Button>
      </li>
    </ul>
  );
}

interface ChipProps {
  readonly filter: ActiveFilter;
  readonly format: FormatField;
  readonly onRemove: () => void;
}

function Chip({ filter, format, onRemove }: ChipProps) {
  const t = useTranslation();
  const label = useFilterLabel(filter, format);
  return (
    <li className="crud-chip">
      <span>{label}</span>
      <button type="button" aria-label={t('table.removeFilter', { name: label })} onClick={onRemove}>
        <IconClose />
      </button>
    </li>
  );
}
