import type { FieldTraits } from '#shared/fields';
import { type AddressField, listAddress } from '#shared/list-address';
import type { CrudCalls, CrudPageProps } from '../model/crud-screen.ts';
import { type ScreenField, searchFields } from '../model/entity-fields.ts';
import { layoutsOf } from '../model/list-layouts.ts';
import { hasOptions, operatorsOf } from './operators.ts';
import type { View } from './views.ts';

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
