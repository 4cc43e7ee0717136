import { Button, Input } from '@arco-design/web-react';
import { IconSearch } from '@arco-design/web-react/icon';
import { memo, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FilterValues } from '../model/list-query.ts';
import { type DraftGroup, draftsOf, hasInvalidNumber, queryOf } from './condition-drafts.ts';
import { FilterBuilder } from './FilterBuilder.tsx';
import FilterPicker, { type FilterTrees } from './FilterPicker.tsx';
import { hasExcessDecimals } from './filter-decimals.ts';
import './filters.css';
import { isEmpty } from '#shared/text';
import { useInputNames } from '../controls/control.ts';
import { DateRangePicker } from '../controls/DateRangePicker.tsx';
import { ConditionValue } from './ConditionValue.tsx';
import { hasOptions } from './operators.ts';

interface FilterPanelProps extends FilterTrees {
  readonly store: CrudStore;
  /** Filters that are not in the line of the list. */
  readonly fields: readonly ScreenField[];
  /** Every field that the list can be filtered by. */
  readonly all: readonly ScreenField[];
  readonly filters: FilterValues;
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
    const isInvalid = all.some((field) => [filters[field.name]].flat().some((value) => hasExcessDecimals(field, value)));
    if (!isInvalid && !hasInvalidNumber(drafts, all)) finish(() => store.setQuery({ filters, ...queryOf(drafts) }));
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

interface SearchFieldProps extends FilterTrees {
  readonly field: ScreenField;
  readonly value: unknown;
  readonly onChange: (name: string, value: unknown) => void;
}

const isWide = ({ traits }: ScreenField) => traits.widget === 'date-time' || traits.compare === 'between';

/** Renders one filter of the search area with its label. */
const SearchField = memo(function SearchField({ field, value, onChange, ...trees }: SearchFieldProps) {
  const t = useTranslation();
  const id = useId();
  const { widget, title, compare } = field.traits;
  const name = t(title);
  const change = (next: unknown) => onChange(field.name, next);
  const props = { id, name, value, onChange: change };
  return (
    <div className={isWide(field) ? 'crud-filters__field crud-filters__field_wide' : 'crud-filters__field'}>
      <label id={`${id}-label`} htmlFor={id}>
        {name}
      </label>
      {widget === 'date-time' ? (
        <DateRangeControl {...props} />
      ) : compare === 'between' ? (
        <RangeControl {...trees} {...props} field={field} />
      ) : hasOptions(widget) ? (
        <FilterPicker {...trees} {...props} field={field} />
      ) : widget === 'date' || widget === 'time' ? (
        <PickedControl {...trees} {...props} field={field} />
      ) : (
        <Input id={id} allowClear value={value === undefined ? '' : String(value)} onChange={change} />
      )}
    </div>
  );
});

interface PickedControlProps extends FilterTrees {
  readonly field: ScreenField;
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Picks a date or a time of day. */
function PickedControl({ field, id, name, value, onChange, ...trees }: PickedControlProps) {
  const box = useRef<HTMLDivElement>(null);
  useInputNames(box, [name], id);
  return (
    <div ref={box}>
      <ConditionValue {...trees} field={field} value={isEmpty(value) ? undefined : String(value)} onChange={onChange} />
    </div>
  );
}

interface DateRangeProps {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (range: readonly string[] | undefined) => void;
}

/** Picks a range of times in the wire format. */
function DateRangeControl({ id, name, value, onChange }: DateRangeProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useInputNames(box, [t('crud.from', { name }), t('crud.to', { name })], id);
  return (
    <div ref={box} className="crud-range">
      <DateRangePicker value={Array.isArray(value) ? value : []} onChange={onChange} />
    </div>
  );
}

type RangeBound = string | number | undefined;

interface RangeControlProps extends FilterTrees {
  readonly field: ScreenField;
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (bounds: readonly RangeBound[] | undefined) => void;
}

/** Enters the minimum and the maximum of a field in the control of its kind; either may stay open. */
function RangeControl({ field, id, name, value, onChange, ...trees }: RangeControlProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [min, max] = [0, 1].map((end) => (Array.isArray(value) && !isEmpty(value[end]) ? (value[end] as RangeBound) : undefined));
  const changeBounds = (bounds: readonly RangeBound[]) => onChange(bounds.every(isEmpty) ? undefined : bounds.map((bound) => bound ?? ''));
  useInputNames(box, [t('crud.least', { name }), t('crud.most', { name })], id);

  return (
    <div ref={box} className="crud-bounds">
      <ConditionValue {...trees} field={field} value={min} onChange={(bound) => changeBounds([bound, max])} />
      <span aria-hidden="true">–</span>
      <ConditionValue {...trees} isEnd field={field} value={max} onChange={(bound) => changeBounds([min, bound])} />
    </div>
  );
}
