import { isGroup } from '#shared/filter-groups';
import { takesNoValue } from '#shared/list-parameters';
import { isEmpty } from '#shared/text';
import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { ConditionGroup, FilterCondition, ListQuery } from '../model/list-query.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { useReferenceLabels } from '../references/reference-titles.ts';

/** One active filter of a list: of a field, a condition of the filter builder, or a group of conditions. */
export interface ActiveFilter {
  readonly key: string;
  readonly parts: readonly ActivePart[];
  /** Word between the parts. */
  readonly join: 'and' | 'or';
  remove(store: CrudStore): void;
}

/** A filter in words: a value of a field, or several of them in parentheses. */
export type ActivePart = ActiveValue | { readonly key: string; readonly parts: readonly ActivePart[]; readonly join: 'and' | 'or' };

/** A value of a field, or a condition on it. */
export interface ActiveValue {
  readonly key: string;
  readonly field: ScreenField;
  readonly value: unknown;
  readonly condition?: FilterCondition;
}

type FieldOf = (name: string) => ScreenField | undefined;

/** Lists the active filters of a query, those of the search area first, then the conditions. All parts of a group are one filter, unless all of them must be met. */
export function activeFilters({ filters, conditions = [], where }: ListQuery, fields: readonly ScreenField[]): ActiveFilter[] {
  const fieldOf: FieldOf = (name) => fields.find((field) => field.name === name);
  const fieldFilters = Object.entries(filters).flatMap(([name, value]): ActiveFilter[] => {
    const field = fieldOf(name);
    if (!field || isEmpty(value)) return [];
    return [{ key: name, join: 'and', parts: [{ key: name, field, value }], remove: (store) => store.search({ ...filters, [name]: undefined }) }];
  });
  const built = conditions.flatMap((condition): ActiveFilter[] => {
    const part = partOf(condition, fieldOf);
    const without = conditions.filter((one) => one !== condition);
    return part ? [{ key: part.key, join: 'and', parts: [part], remove: (store) => store.setQuery({ conditions: without }) }] : [];
  });
  return [...fieldFilters, ...built, ...groupFilters(where, fieldOf)];
}

function groupFilters(where: ConditionGroup | undefined, fieldOf: FieldOf): ActiveFilter[] {
  if (!where) return [];
  if (where.join === 'or') return [{ key: 'where', join: 'or', parts: partsOf(where, fieldOf), remove: (store) => store.setQuery({ where: undefined }) }];
  return where.of.flatMap((one, index): ActiveFilter[] => {
    const part = partOf(one, fieldOf, index);
    if (!part) return [];
    const remaining = where.of.filter((other) => other !== one);
    const remove = (store: CrudStore) => store.setQuery({ where: remaining.length > 0 ? { join: 'and', of: remaining } : undefined });
    return [{ key: `where.${part.key}`, ...('parts' in part ? part : { join: 'and', parts: [part] }), remove }];
  });
}

const partsOf = (group: ConditionGroup, fieldOf: FieldOf): ActivePart[] => group.of.flatMap((one, index) => partOf(one, fieldOf, index) ?? []);

function partOf(part: FilterCondition | ConditionGroup, fieldOf: FieldOf, index = 0): ActivePart | undefined {
  if (isGroup(part)) return { key: `group ${index}`, parts: partsOf(part, fieldOf), join: part.join };
  const field = fieldOf(part.field);
  const key = `${part.field}_${part.operator}${index > 0 ? `.${index}` : ''}`;
  return field && { key, field, value: takesNoValue(part.operator) ? '' : part.value, condition: part };
}

/** Describes a filter in words; rows and entries by their titles. */
export function useFilterLabel({ field, value, condition }: ActiveValue, format: FormatField): string {
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
