import { Button, Input } from '@arco-design/web-react';
import { IconDown, IconSearch, IconUp } from '@arco-design/web-react/icon';
import { type ComponentType, memo, type SubmitEvent, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { textWidth } from '../model/cell-text.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { Filters } from '../model/list-query.ts';
import { useColumnCount } from '../model/use-column-count.ts';
import type { DateRangePickerProps, DateRangeProps } from './DateRangeControl.tsx';
import type { FilterTrees } from './FilterPicker.tsx';
import { hasExcessDecimals } from './filter-decimals.ts';
import { hasOptions } from './operators.ts';
import { PendingPicker } from './PendingPicker.tsx';

/** Stages of demand for the picker before it is loaded; the stage never decreases. */
const PickerDemand = { none: 0, near: 1, focused: 2, open: 3 } as const;

/** Field of a time range. The calendar is heavy and rarely used: it is loaded when the pointer or the focus comes near. */
function DateRangeField(props: DateRangeProps) {
  const t = useTranslation();
  const [Picker, setPicker] = useState<ComponentType<DateRangePickerProps>>();
  const [demand, setDemand] = useState<number>(PickerDemand.none);
  const isWanted = demand > PickerDemand.none || props.value !== undefined;
  const ask = (more: number) => setDemand((before) => Math.max(before, more));

  useEffect(() => {
    if (!isWanted) return;
    import('./DateRangeControl.tsx').then(
      (module) => setPicker(() => module.default),
      () => setDemand(PickerDemand.none),
    );
  }, [isWanted]);

  if (Picker) return <Picker {...props} isFocused={demand >= PickerDemand.focused} isOpen={demand >= PickerDemand.open} />;
  return (
    <Input
      id={props.id}
      readOnly
      placeholder={`${t('crud.start')} - ${t('crud.end')}`}
      onMouseEnter={() => ask(PickerDemand.near)}
      onFocus={() => ask(PickerDemand.focused)}
      onClick={() => ask(PickerDemand.open)}
    />
  );
}

const FilterPicker = lazyComponent(() => import('./FilterPicker.tsx'));
const RangeControl = lazyComponent(() => import('./RangeControl.tsx'));

/** Width of the three buttons in one row, in pixels. */
const buttonsWidth = 250;

interface SearchAreaProps extends FilterTrees {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
}

/** Renders the filters of a list: Enter searches, and filters beyond the first row are collapsed. */
export function SearchArea({ store, fields, ...trees }: SearchAreaProps) {
  const t = useTranslation();
  const area = useRef<HTMLFormElement>(null);
  // A field needs room for its label and at least ten characters.
  const columns = useColumnCount(area, Math.max(buttonsWidth, 160 + Math.max(0, ...fields.map(({ traits }) => textWidth(t(traits.title))))));
  const applied = useStore(store, (state) => state.query.filters);
  const [typed, setTyped] = useState<{ readonly over: Filters; readonly filters: Filters }>({ over: applied, filters: applied });
  const [isOpen, setIsOpen] = useState(false);
  // Filters applied elsewhere (such as cleared from the empty list) replace the typed ones.
  const filters = typed.over === applied ? typed.filters : applied;
  const change = useCallback(
    (name: string, value: unknown) =>
      setTyped((before) => {
        const over = store.state.query.filters;
        return { over, filters: { ...(before.over === over ? before.filters : over), [name]: value } };
      }),
    [store],
  );
  const fitting = countFittingFields(fields, columns);
  const shown = isOpen ? fields : fields.slice(0, fitting);

  // The search starts in a task of its own, so that the click is painted before much of the page changes.
  const search = (wanted: Filters) => void setTimeout(() => store.search(wanted));

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!fields.some((field) => [filters[field.name]].flat().some((value) => hasExcessDecimals(field, value)))) search(filters);
  };

  return (
    <search aria-label={t('crud.searchArea')}>
      <form ref={area} className="crud-search" onSubmit={submit} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {shown.map((field) => (
          <SearchField key={field.name} {...trees} field={field} isWide={isWide(field) && columns > 1} value={filters[field.name]} onChange={change} />
        ))}
        <div className="crud-search__buttons">
          <Button type="primary" htmlType="submit" icon={<IconSearch />}>
            {t('crud.search')}
          </Button>
          <Button onClick={() => search({})}>{t('crud.reset')}</Button>
          {fitting < fields.length && (
            <Button type="text" aria-expanded={isOpen} icon={isOpen ? <IconUp /> : <IconDown />} onClick={() => setIsOpen(!isOpen)}>
              {t(isOpen ? 'crud.collapse' : 'crud.expand')}
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}

const isWide = ({ traits }: ScreenField) => traits.widget === 'date-time' || traits.compare === 'between';

/** Returns the number of fields that fit into one row beside the buttons; at least one. */
function countFittingFields(fields: readonly ScreenField[], columns: number): number {
  let left = columns - 1;
  const beyond = fields.findIndex((field) => {
    left -= isWide(field) ? 2 : 1;
    return left < 0;
  });
  return beyond < 0 ? fields.length : Math.max(1, beyond);
}

interface SearchFieldProps extends FilterTrees {
  readonly field: ScreenField;
  readonly isWide: boolean;
  readonly value: unknown;
  readonly onChange: (name: string, value: unknown) => void;
}

const SearchField = memo(function SearchField({ field, isWide, value, onChange, ...trees }: SearchFieldProps) {
  const t = useTranslation();
  const id = useId();
  const { widget, title, compare } = field.traits;
  const name = t(title);
  const become = (value: unknown) => onChange(field.name, value);
  return (
    <div className={isWide ? 'crud-search__field crud-search__field_wide' : 'crud-search__field'}>
      <label id={`${id}-label`} htmlFor={id}>
        {name}
      </label>
      {widget === 'date-time' ? (
        <DateRangeField id={id} name={name} value={value} onChange={become} />
      ) : compare === 'between' ? (
        <Suspense fallback={<Input id={id} readOnly />}>
          <RangeControl {...trees} field={field} id={id} name={name} value={value} onChange={become} />
        </Suspense>
      ) : hasOptions(widget) ? (
        <Suspense fallback={<PendingPicker id={id} isPicked={value !== undefined} />}>
          <FilterPicker {...trees} field={field} id={id} name={name} value={value} onChange={become} />
        </Suspense>
      ) : (
        <Input id={id} allowClear value={value === undefined ? '' : String(value)} onChange={become} />
      )}
    </div>
  );
});
