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

/** Part of a filter: a value of a field, or several of them in parentheses. */
export type ActivePart = ActiveValue | { readonly key: string; readonly parts: readonly ActivePart[]; readonly join: 'and' | 'or' };

/** A value of a field, or a condition on it. */
export interface ActiveValue {
  readonly key: string;
  readonly field: ScreenField;
  readonly value: unknown;
  readonly condition?: FilterCondition;
}

type FieldOf = (name: string) => ScreenField | undefined;

/** Lists the active filters of a query, those of the search area first, then the conditions. A group joined by `or` is one filter; each part of one joined by `and` is its own. */
export function activeFilters({ filters, conditions = [], where }: ListQuery, fields: readonly ScreenField[]): ActiveFilter[] {
  const fieldOf: FieldOf = (name) => fields.find((field) => field.name === name);
  const fieldFilters = Object.entries(filters).flatMap(([name, value]): ActiveFilter[] => {
    const field = fieldOf(name);
    if (!field || isEmpty(value)) return [];
    return [{ key: name, join: 'and', parts: [{ key: name, field, value }], remove: (store) => store.search({ ...filters, [name]: undefined }) }];
  });
  const conditionFilters = conditions.flatMap((condition, index): ActiveFilter[] => {
    const part = partOf(condition, fieldOf, index);
    const without = conditions.filter((other) => other !== condition);
    return part ? [{ key: part.key, join: 'and', parts: [part], remove: (store) => store.setQuery({ conditions: without }) }] : [];
  });
  return [...fieldFilters, ...conditionFilters, ...groupFilters(where, fieldOf)];
}

function groupFilters(where: ConditionGroup | undefined, fieldOf: FieldOf): ActiveFilter[] {
  if (!where) return [];
  if (where.join === 'or') return [{ key: 'where', join: 'or', parts: partsOf(where, fieldOf), remove: (store) => store.setQuery({ where: undefined }) }];
  return where.of.flatMap((item, index): ActiveFilter[] => {
    const part = partOf(item, fieldOf, index);
    if (!part) return [];
    const remaining = where.of.filter((other) => other !== item);
    const remove = (store: CrudStore) => store.setQuery({ where: remaining.length > 0 ? { join: 'and', of: remaining } : undefined });
    return [{ key: `where.${part.key}`, ...('parts' in part ? part : { join: 'and', parts: [part] }), remove }];
  });
}

const partsOf = (group: ConditionGroup, fieldOf: FieldOf): ActivePart[] => group.of.flatMap((item, index) => partOf(item, fieldOf, index) ?? []);

function partOf(part: FilterCondition | ConditionGroup, fieldOf: FieldOf, index = 0): ActivePart | undefined {
  if (isGroup(part)) return { key: `group ${index}`, parts: partsOf(part, fieldOf), join: part.join };
  const field = fieldOf(part.field);
  const key = `${part.field}_${part.operator}${index > 0 ? `.${index}` : ''}`;
  return field && { key, field, value: takesNoValue(part.operator) ? '' : part.value, condition: part };
}

/** Describes a filter as text, with the titles of referenced rows and dictionary entries. */
export function useFilterLabel({ field, value, condition }: ActiveValue, format: FormatField): string {
  const t = useTranslation();
  const { title, dictionary, reference } = field.traits;
  const entries = useDictionary(dictionary);
  const labelOf = useReferenceLabels(reference, reference && !isEmpty(value) ? [String(value)] : []);
  const valueText = () => {
    if (Array.isArray(value) && field.traits.compare === 'between')
      return formatBounds(value.map((bound) => (isEmpty(bound) ? '' : format(field, { id: '', [field.name]: bound }))));
    if (Array.isArray(value)) return value.filter((bound) => !isEmpty(bound)).join(' – ');
    if (reference && !isEmpty(value)) return labelOf(String(value)).text;
    return entries.find(({ key }) => key === String(value))?.title ?? format(field, { id: '', [field.name]: value });
  };
  const operator = condition && t(`table.operators.${condition.operator}`);
  return [t(title), operator, valueText()].filter(Boolean).join(operator ? ' ' : ': ');
}

/** Formats a range as `2 – 5`, or as `≥ 2` or `≤ 5` when one end is open. */
function formatBounds([min = '', max = '']: readonly string[]): string {
  if (min && max) return `${min} – ${max}`;
  return min ? `≥ ${min}` : `≤ ${max}`;
}
