import { Button } from '@arco-design/web-react';
import { IconSearch } from '@arco-design/web-react/icon';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { Filters } from '../model/list-query.ts';
import { type DraftGroup, draftsOf, isWrongDraft, queryOf } from './condition-drafts.ts';
import { FilterBuilder } from './FilterBuilder.tsx';
import type { FilterTrees } from './FilterPicker.tsx';
import { hasExcessDecimals } from './filter-decimals.ts';
import { SearchField } from './SearchField.tsx';
import './filters.css';

interface FilterPanelProps extends FilterTrees {
  readonly store: CrudStore;
  /** Filters that are not in the line of the list. */
  readonly fields: readonly ScreenField[];
  /** Every field that the list can be filtered by. */
  readonly all: readonly ScreenField[];
  readonly filters: Filters;
  readonly onChange: (name: string, value: unknown) => void;
  readonly onDone: () => void;
}

const firstControl = ':is(input, select, textarea, [role=combobox]):not(:disabled)';

/** Edits all filters of a list: a field for each, and conditions built by the operator. Nothing applies before the search. */
export default function FilterPanel({ store, fields, all, filters, onChange, onDone, ...trees }: FilterPanelProps) {
  const t = useTranslation();
  const panel = useRef<HTMLFormElement>(null);
  const query = useStore(store, (state) => state.query);
  const [drafts, setDrafts] = useState<DraftGroup>(() => draftsOf(query));
  useEffect(() => panel.current?.querySelector<HTMLElement>(firstControl)?.focus(), []);

  // The search starts in a task of its own, so that the closed panel is painted before much of the page changes.
  const finish = (run: () => void) => {
    onDone();
    setTimeout(run);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isWrong = all.some((field) => [filters[field.name]].flat().some((value) => hasExcessDecimals(field, value)));
    if (!isWrong && !isWrongDraft(drafts, all)) finish(() => store.setQuery({ filters, ...queryOf(drafts) }));
  };

  return (
    <form ref={panel} className="crud-filters" onSubmit={submit}>
      {fields.length > 0 && (
        <div className="crud-filters__fields">
          {fields.map((field) => (
            <SearchField key={field.name} {...trees} field={field} value={filters[field.name]} onChange={onChange} />
          ))}
        </div>
      )}
      <FilterBuilder {...trees} fields={all} group={drafts} onChange={setDrafts} />
      <div className="crud-filters__foot">
        <Button onClick={() => finish(() => store.clearFilters())}>{t('crud.reset')}</Button>
        <Button type="primary" htmlType="submit" icon={<IconSearch />}>
          {t('crud.search')}
        </Button>
      </div>
    </form>
  );
}
