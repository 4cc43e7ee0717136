import { Button } from '@arco-design/web-react';
import { IconFilter, IconSearch } from '@arco-design/web-react/icon';
import { type ReactNode, type RefObject, type SubmitEvent, Suspense, useCallback, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Widget } from '#shared/fields';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { SidePanel } from '../../ui/overlays/SidePanel.tsx';
import { usePopup } from '../../ui/overlays/use-popup.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { isTitleField, type ScreenField } from '../model/entity-fields.ts';
import { countFilters, type FilterValues } from '../model/list-query.ts';
import type { FilterTrees } from './FilterPicker.tsx';
import { hasExcessDecimals } from './filter-decimals.ts';
import { hasOptions } from './operators.ts';
import { LineInput, PendingPicker } from './PendingPicker.tsx';
import './search.css';

const FilterPicker = lazyComponent(() => import('./FilterPicker.tsx'));
const FilterPanel = lazyComponent(() => import('./FilterPanel.tsx'));

const maxQuickFields = 2;
/** Least width in pixels of a quick field with its gap, and widths of the button that searches and of a gap, as in the style sheet. */
const quickWidth = 148;
const submitWidth = 40;
export const listGap = 8;

/** Returns the width in pixels that the quick filters of a list take of the free width of its line; none while selected rows hide them. */
export function quickRoom(line: Element, free: number): number {
  const count = Number(line.querySelector<HTMLElement>(':scope > .crud-search')?.dataset.quick ?? 0);
  const fits = Math.min(count, Math.floor((free - submitWidth - listGap) / quickWidth));
  return fits > 0 ? fits * quickWidth + submitWidth + listGap : 0;
}

/** Moves the focus to the first filter in the line of a list, or opens the panel where none is shown. */
export function focusSearch(list: Element | null): void {
  const quick = list?.querySelector<HTMLElement>('.crud-search__quick:not([hidden]) :is(input, [role=combobox])');
  if (quick) quick.focus();
  else list?.querySelector<HTMLElement>('.crud-search__open[aria-expanded=false]')?.click();
}

interface ListSearchProps extends FilterTrees {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
  /** True to open the filters and the children in a sheet. */
  readonly isPhone: boolean;
  /** Saved views of the list, and on a phone what plugins add to its toolbar. */
  readonly children?: ReactNode;
}

/** Renders the most used filters of a list in its line, and a button for a panel with all others. Enter searches. */
export function ListSearch({ store, fields, isPhone, children, ...trees }: ListSearchProps) {
  const t = useTranslation();
  const box = useRef<HTMLElement>(null);
  const filter = useRef<HTMLSpanElement>(null);
  const room = useQuickRoom(box);
  const count = useStore(store, ({ query }) => countFilters(query));
  const isSelecting = useDeferredValue(useStore(store, ({ selected }) => selected.size > 0));
  const [isOpen, setIsOpen] = useState(false);
  const { filters, change } = useTypedFilters(store);
  const candidates = isPhone ? [] : quickFields(fields);
  const quick = candidates.slice(0, room);
  // While rows are selected their actions take the line: the views are hidden, and the panel has all filters.
  const others = fields.filter((field) => isSelecting || !quick.includes(field));
  const close = useCallback(() => setIsOpen(false), []);
  usePopup(filter, isOpen && !isPhone, close, '.crud-search__quick');

  // The search starts in a task of its own, so that the click is painted before much of the page changes.
  const search = (typed: FilterValues) => void setTimeout(() => store.search(typed));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A wrong number in the panel is explained there.
    if (fields.some((field) => [filters[field.name]].flat().some((value) => hasExcessDecimals(field, value)))) setIsOpen(true);
    else search(filters);
  };
  const name = t('table.filterBuilder');
  const panel = <FilterPanel {...trees} store={store} fields={others} all={fields} filters={filters} onChange={change} onDone={close} />;

  const line = (
    <search ref={box} className="crud-search" aria-label={t('crud.searchArea')} data-quick={isSelecting ? 0 : candidates.length}>
      {quick.length > 0 && (
        <form className="crud-search__quick" hidden={isSelecting} onSubmit={submit}>
          {quick.map((field) => (
            <QuickField
              key={field.name}
              {...trees}
              store={store}
              field={field}
              value={filters[field.name]}
              onChange={(value) => {
                change(field.name, value);
                // A picked option is complete, while text is still being typed.
                if (hasOptions(field.traits.widget)) search({ ...filters, [field.name]: value });
              }}
            />
          ))}
          <Button htmlType="submit" icon={<IconSearch />} aria-label={t('crud.search')} title={t('crud.search')} />
        </form>
      )}
      <span ref={filter}>
        <Button
          className={count > 0 ? 'crud-search__open crud-search__open_on' : 'crud-search__open'}
          icon={<IconFilter />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={count > 0 ? t('table.filterCount', { count }) : name}
          onClick={() => setIsOpen(!isOpen)}
        >
          {name}
          {count > 0 && <span className="crud-search__count">{count}</span>}
        </Button>
        {isOpen && !isPhone && (
          <div role="dialog" aria-label={name} className="crud-popup crud-search__popup">
            <Suspense>{panel}</Suspense>
          </div>
        )}
      </span>
      {!isPhone && !isSelecting && children}
    </search>
  );
  if (!isPhone) return line;
  return (
    <>
      {line}
      <SidePanel title={name} open={isOpen} onClose={close} width={640}>
        <div className="crud-search__sheet">
          <div className="crud-bar crud-search__tools">{children}</div>
          <Suspense>{panel}</Suspense>
        </div>
      </SidePanel>
    </>
  );
}

/** Keeps what is typed until it is searched; filters applied elsewhere (such as cleared from the empty list) replace it. */
function useTypedFilters(store: CrudStore) {
  const applied = useStore(store, (state) => state.query.filters);
  const [typed, setTyped] = useState<{ readonly base: FilterValues; readonly filters: FilterValues }>({ base: applied, filters: applied });
  const change = useCallback(
    (name: string, value: unknown) =>
      setTyped((before) => {
        const base = store.state.query.filters;
        return { base, filters: { ...(before.base === base ? before.filters : base), [name]: value } };
      }),
    [store],
  );
  return { filters: typed.base === applied ? typed.filters : applied, change };
}

const isPlainText = ({ traits }: ScreenField) => !hasOptions(traits.widget) && !timeWidgets.has(traits.widget) && traits.compare !== 'between';
/** Times are picked in the panel. */
const timeWidgets: ReadonlySet<Widget> = new Set(['date-time', 'date', 'time']);
const quickWidgets: ReadonlySet<Widget> = new Set(['choice', 'flag', 'dictionary']);
/** References are not quick, because their choices cost a request. */
const isPicked = ({ traits }: ScreenField) => quickWidgets.has(traits.widget) && traits.compare !== 'between';

/** Returns the filters for the line: the first text that is not an id and the status, or else the first option, in this order; others are in the panel. */
function quickFields(fields: readonly ScreenField[]): ScreenField[] {
  const picked = fields.filter(isPicked);
  const [text, option] = [fields.find(isTitleField) ?? fields.find(isPlainText), picked.find(({ traits }) => traits.tones) ?? picked[0]];
  const preferred = [text, option].filter((field) => field !== undefined);
  return [...preferred, ...fields.filter((field) => isPlainText(field) && field !== text)].slice(0, maxQuickFields);
}

/** Returns the number of quick fields that fit into the line beside the toolbar; all until it is measured. */
function useQuickRoom(box: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(maxQuickFields);
  useLayoutEffect(() => {
    const search = box.current;
    const line = search?.parentElement;
    const toolbar = line?.querySelector('.crud-toolbar');
    if (!line || !toolbar) return;
    const measure = () => {
      const others = [...search.querySelectorAll<HTMLElement>(':scope > :not(.crud-search__quick)')];
      const free = others.reduce((left, { offsetWidth }) => left - offsetWidth - listGap, line.clientWidth - toolbar.clientWidth - submitWidth - listGap);
      if (line.clientWidth > 0) setRoom(Math.min(maxQuickFields, Math.max(0, Math.floor(free / quickWidth))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(line);
    observer.observe(toolbar);
    return () => observer.disconnect();
  }, [box]);
  return room;
}

interface QuickFieldProps extends FilterTrees {
  readonly store: CrudStore;
  readonly field: ScreenField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Renders a filter in the line. The code of a picker is loaded once the first rows are there. */
function QuickField({ store, field, value, onChange, ...trees }: QuickFieldProps) {
  const t = useTranslation();
  const id = useId();
  const name = t(field.traits.title);
  const hasAnswer = useDeferredValue(useStore(store, ({ status, rows }) => status !== 'loading' || rows.length > 0));
  const pending = <PendingPicker id={id} isPicked={value !== undefined} placeholder={name} />;
  return (
    <span className="crud-search__field">
      <label id={`${id}-label`} htmlFor={id} className="visually-hidden">
        {name}
      </label>
      {hasOptions(field.traits.widget) ? (
        <Suspense fallback={pending}>
          {hasAnswer ? <FilterPicker {...trees} field={field} id={id} name={name} placeholder={name} value={value} onChange={onChange} /> : pending}
        </Suspense>
      ) : (
        <LineInput id={id} placeholder={name} value={value === undefined ? '' : String(value)} onChange={(event) => onChange(event.target.value)} />
      )}
    </span>
  );
}
