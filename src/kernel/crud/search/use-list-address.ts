import { createContext, useEffect, useRef, useState } from 'react';
import type { FieldTraits } from '#shared/fields';
import { type AddressField, clearList, listAddress, readList, readRecord, unfilteredView, writeList, writeRecord } from '#shared/list-address';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { HistoryChange, PageAddress } from '../../ui/pane/page-address.ts';
import type { CrudCalls, CrudPageProps } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { type ScreenField, searchFields } from '../model/entity-fields.ts';
import { layoutsOf } from '../model/list-layouts.ts';
import { isSameQuery, type ListQuery } from '../model/list-query.ts';
import type { ColumnSetting } from '../model/table-settings.ts';
import { hasOptions, operatorsOf } from './operators.ts';
import { useDefaultView } from './use-views.ts';
import { encodedView, type View } from './views.ts';

/** True inside a list: the address describes the outer one. */
export const NestedList = createContext(false);

/** A list with the address that describes it. */
export interface AddressedList {
  /** Absent in a panel and in a nested list. */
  readonly address: PageAddress | undefined;
  readonly fields: readonly AddressField[];
  /** Query and columns with which the list starts: those of the address, otherwise those of the user's default view. */
  readonly initialQuery: Partial<ListQuery>;
  readonly columns: readonly ColumnSetting[];
  /** True when the address or a view determines the initial state, which a default view that is loaded later must not replace. */
  readonly isStated: boolean;
  /** Names of fields whose filter or order is in the address but not supported by the list. */
  readonly unapplied: readonly string[];
}

/** Reads the address of a list once, when its page opens. */
export function useAddressedList(crud: CrudCalls, filter: CrudPageProps['filter'], address: PageAddress | undefined): AddressedList {
  const defaultView = useDefaultView(crud);
  const [list] = useState((): AddressedList => {
    const fields = addressFields(crud, filter);
    const linkedView = address && encodedView(crud, address.search);
    const read = linkedView ? undefined : readList(address?.search ?? '', fields);
    const { unapplied = [] } = read ?? {};
    if (read?.isStated) return { address, fields, initialQuery: read.query as Partial<ListQuery>, columns: read.columns, isStated: true, unapplied };
    const { columns, ...initialQuery } = linkedView ?? defaultView() ?? { columns: read?.columns ?? [] };
    return { address, fields, initialQuery, columns, isStated: Object.keys(initialQuery).length > 0, unapplied };
  });
  return list;
}

/** Synchronizes the query of a list with the address of its page, and reports parts of the address that cannot be applied. */
export function useListAddress(store: CrudStore, crud: CrudCalls, list: AddressedList): void {
  const { address, fields, unapplied } = list;
  const t = useTranslation();
  const toasts = useService(Toasts);
  const defaultView = useRef(useDefaultView(crud));
  const isFirstRun = useRef(true);
  const { entity } = crud;

  useEffect(() => {
    if (!address) return;
    const write = (change: HistoryChange) =>
      address.change((parameters) => {
        clearList(parameters, fields);
        const { query, defaultSize } = store.state;
        writeList(parameters, query);
        if (query.size === defaultSize) parameters.delete('size');
        else parameters.set('size', String(query.size));
        // Without a parameter the next visit would start with the default view.
        if (!readList(`?${parameters}`, fields).isStated && defaultView.current()) parameters.set('view', unfilteredView);
        writeRecord(parameters, readRecord(address.search));
      }, change);
    const warn = (names: readonly string[]) => {
      const titles = names.map((name) => {
        const { title } = (entity.fields[name] as { field?: { title?: Parameters<typeof t>[0] } } | undefined)?.field ?? {};
        return title ? t(title) : name;
      });
      if (titles.length > 0) toasts.warning(t('table.addressUnapplied', { names: titles.join(t('table.addressSeparator')) }));
    };
    if (isFirstRun.current) {
      isFirstRun.current = false;
      warn(unapplied);
      write('replace');
    }
    const subscription = store.queryChanged$.subscribe(write);
    subscription.add(
      address.search$.subscribe((search) => {
        const { query, unapplied: unknown } = readList(search, fields);
        const addressQuery = { current: 1, size: store.state.defaultSize, ...query } as ListQuery;
        if (isSameQuery(addressQuery, store.state.query)) return;
        store.restoreQuery(query as Partial<ListQuery>);
        warn(unknown);
      }),
    );
    return () => subscription.unsubscribe();
  }, [address, fields, unapplied, store, entity, t, toasts]);
}

/** Describes the fields of a list for its address. Parameters that are fixed by the page are no filters, and neither is `id`, which names a detail page. */
export function addressFields(crud: CrudCalls, filter: CrudPageProps['filter'] = {}): AddressField[] {
  const searchable = new Map(searchFields(crud).map((field) => [field.name, field]));
  const filterable = crud.list.filterable?.fields ?? {};
  const offered = layoutsOf(crud);
  const names = new Set([...Object.keys(crud.entity.fields), ...searchable.keys()]);
  return [...names].flatMap((name) => {
    const field = searchable.get(name);
    if (name in filter || (name === 'id' && !field)) return [];
    const isSortable = (filterable[name] as { field?: FieldTraits } | undefined)?.field?.sort === true;
    const layouts = offered.flatMap((layout) => (layout.field === name ? [layout.kind] : []));
    return [{ name, isSortable, layouts, kind: 'text' as const, ...(field ? searchedField(field) : {}) }];
  });
}

function searchedField(field: ScreenField): Pick<AddressField, 'kind' | 'options' | 'operators'> {
  const { widget, compare, options } = field.traits;
  const isNumber = widget === 'number' || widget === 'money';
  const isRange = compare === 'between';
  return {
    kind: widget === 'date-time' ? 'time' : isRange ? (isNumber ? 'numberRange' : 'range') : isNumber ? 'number' : 'text',
    options: hasOptions(widget) && options ? options.map(([choice]) => choice) : undefined,
    operators: operatorsOf(field),
  };
}

/** Returns the address of the current page that applies a view for anyone who may open the page. */
export const viewLink = ({ columns, ...query }: View): string => listAddress(`${location.origin}${location.pathname}`, { ...query, columns });
