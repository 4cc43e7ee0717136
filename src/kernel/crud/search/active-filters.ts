import { isEmpty } from '#shared/text';
import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { type FilterCondition, type ListQuery, takesNoValue } from '../model/list-query.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { useReferenceLabels } from '../references/reference-titles.ts';

/** One active filter of a list. */
export interface ActiveFilter {
  readonly key: string;
  readonly field: ScreenField;
  readonly value: unknown;
  /** Condition of the filter builder, if the filter comes from there. */
  readonly condition?: FilterCondition;
}

/** Lists the active filters of a query, those of the search area first, then the conditions. */
export function activeFilters({ filters, conditions = [] }: ListQuery, fields: readonly ScreenField[]): ActiveFilter[] {
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  const fieldFilters = Object.entries(filters).flatMap(([name, value]) => {
    const field = fieldOf(name);
    return field && !isEmpty(value) ? [{ key: name, field, value }] : [];
  });
  const built = conditions.flatMap((condition) => {
    const field = fieldOf(condition.field);
    const key = `${condition.field}_${condition.operator}`;
    return field ? [{ key, field, value: takesNoValue(condition.operator) ? '' : condition.value, condition }] : [];
  });
  return [...fieldFilters, ...built];
}

/** Describes a filter in words; rows and entries by their titles. */
export function useFilterLabel({ field, value, condition }: ActiveFilter, format: FormatField): string {
  const t = useTranslation();
  const { title, dictionary, reference } = field.traits;
  const entries = useDictionary(dictionary);
  const called = useReferenceLabels(reference, reference && !isEmpty(value) ? [String(value)] : []);
  const shown = () => {
    if (Array.isArray(value) && field.traits.compare === 'between')
      return formatBounds(value.map((bound) => (isEmpty(bound) ? '' : format(field, { id: '', [field.name]: bound }))));
    if (Array.isArray(value)) return value.filter(Boolean).join(' – ');
    if (reference && !isEmpty(value)) return called(String(value)).text;
    return entries.find(({ key }) => key === String(value))?.title ?? format(field, { id: '', [field.name]: value });
  };
  const operator = condition && t(`table.operators.${condition.operator}`);
  return [t(title), operator, shown()].filter(Boolean).join(operator ? ' ' : ': ');
}

/** Formats a range as `2 – 5`, or as `≥ 2` or `≤ 5` when one end is open. */
function formatBounds([min = '', max = '']: readonly string[]): string {
  if (min && max) return `${min} – ${max}`;
  return min ? `≥ ${min}` : `≤ ${max}`;
}

/** Removes one active filter. */
export function removeFilter(store: CrudStore, { field, condition }: ActiveFilter): void {
  const { filters, conditions = [] } = store.state.query;
  if (condition) store.setConditions(conditions.filter((one) => one !== condition));
  else store.search({ ...filters, [field.name]: undefined });
}
